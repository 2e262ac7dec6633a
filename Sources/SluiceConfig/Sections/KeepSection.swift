import SluiceContract
import SluiceRules

/// `keep:` of a binding: the values that are taken from its answer and kept.
enum KeepSection {
    static let section = Section(
        name: "binding.keep",
        summary: "What is taken from an answer and kept; paths begin at the root of the upstream's JSON",
        keys: [
            .required("bearer", .path, "Path of the token that becomes the upstream's bearer"),
            .init("expires", .path, "Path of its end: seconds from now on, or a date"),
        ], bareKey: "bearer")
}

extension BindingReader {
    mutating func readKeep() {
        guard let node = fields.node("keep") else { return }
        let context = context
        var keep: Binding.Keep?
        Fields.read(node, KeepSection.section, context) { fields in
            keep = fields.required("bearer").flatMap(context.fieldPath).map { Binding.Keep(bearer: $0) }
            if let node = fields.node("expires") { keep?.expires = context.fieldPath(node) }
        }
        if let keep {
            binding.settings.say("keep", \.keep, keep)
        } else {
            binding.settings.sayUnread("keep")
        }
    }
}
