import SluiceContract
import SluiceRules

/// `keep:` of a binding: what is taken out of its answer and kept.
enum KeepSection {
    static let section = Section(
        name: "binding.keep",
        summary: "What is taken from an answer and kept; paths begin at the root of the upstream's JSON",
        keys: [
            .required("bearer", .path, "Path of the token that becomes the upstream's bearer")
        ], bareKey: "bearer")
}

extension BindingReader {
    mutating func readKeep() {
        guard let node = fields.node("keep") else { return }
        let context = context
        var path: FieldPath?
        Fields.read(node, KeepSection.section, context) { fields in
            path = fields.required("bearer").flatMap(context.fieldPath)
        }
        if let path {
            binding.settings.say("keep", \.keep, Binding.Keep(bearer: path))
        } else {
            binding.settings.sayUnread("keep")
        }
    }
}
