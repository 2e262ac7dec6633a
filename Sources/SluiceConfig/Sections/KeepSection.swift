import SluiceContract

/// `keep:` of a binding: what is taken out of its answer and kept.
enum KeepSection {
    static let section = Section(
        name: "binding.keep", summary: "What is kept out of an answer; paths begin at the root of the upstream's JSON",
        keys: [
            .required("bearer", .path, "Path of the token that becomes the upstream's bearer"),
            .init("expires", .path, "Path of its lifetime in seconds"),
            .init("refresh", .path, "Path of a refresh token"),
        ])
}

extension BindingReader {
    mutating func readKeep() {
        guard let node = fields.node("keep") else { return }
        let desk = desk
        var keep: Binding.Keep?
        var nodes: [(path: FieldPath, node: SourceNode, scalar: PathCheck.Wanted)] = []
        Fields.read(node, KeepSection.section, desk) { fields in
            let bearer = fields.required("bearer")
            let expires = fields.node("expires")
            let refresh = fields.node("refresh")
            guard let bearer, let path = desk.fieldPath(bearer) else { return }
            var result = Binding.Keep(bearer: path)
            nodes.append((path, bearer, .string))
            if let expires, let path = desk.fieldPath(expires) {
                result.expires = path
                nodes.append((path, expires, .number))
            }
            if let refresh, let path = desk.fieldPath(refresh) {
                result.refresh = path
                nodes.append((path, refresh, .string))
            }
            keep = result
        }
        binding.keep = keep
        guard let value = binding.value else { return }
        for (path, node, wanted) in nodes {
            let check = PathCheck(types: types, unknown: binding.unknownKeys, keys: binding.keys)
            if let message = check.fault(of: path, behind: binding.parent, in: value, wanted: wanted) {
                desk.findings.mistake(
                    at: node.place, "path '\(path)' is impossible: \(message.text)",
                    expected: "a path to a \(wanted.rawValue)", suggestion: message.suggestion)
            }
        }
    }
}
