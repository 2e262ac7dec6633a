import SluiceContract

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
        let desk = desk
        var found: (path: FieldPath, node: SourceNode)?
        Fields.read(node, KeepSection.section, desk) { fields in
            guard let bearer = fields.required("bearer"), let path = desk.singlePath(bearer) else { return }
            found = (path, bearer)
        }
        guard let found else { return }
        binding.keep = Binding.Keep(bearer: found.path)
        guard let value = binding.value else { return }
        let check = PathCheck(types: types, unknown: binding.unknownKeys, keys: binding.keys)
        if let message = check.fault(of: found.path, behind: binding.parent, in: value) {
            desk.findings.mistake(
                at: found.node.place, "path '\(found.path)' is impossible: \(message.text)",
                expected: "a path to a string", suggestion: message.suggestion)
        }
    }
}
