import SluiceContract

/// `error:` of an upstream or binding: where an API keeps its errors, for all statuses and for particular ones.
enum ErrorSection {
    static let section = Section(
        name: "error", summary: "Where an API keeps its errors; a status such as 404 as a key has paths of its own",
        keys: pathKeys + [
            .init("default", .section(paths), default: "{}", "The same two keys, for reading beside statuses")
        ],
        statuses: .section(paths), bareKey: "message")

    static let paths = Section(
        name: "error.paths", summary: "Paths into the error's JSON", keys: pathKeys, bareKey: "message")

    private static let pathKeys: [Section.Key] = [
        .init("message", .path, "Path of the text that a person reads"),
        .init("code", .path, "Path of the API's own code for the error"),
    ]

    static func read(
        _ node: SourceNode, _ desk: Desk, into error: inout ErrorPaths, byStatus: inout [Int: ErrorPaths]
    ) {
        Fields.read(node, section, desk) { fields in
            readPaths(fields, into: &error)
            if let node = fields.node("default") {
                Fields.read(node, paths, desk) { readPaths($0, into: &error) }
            }
            for (status, key, value) in fields.statuses {
                if status < 400 {
                    desk.findings.mistake(at: key.place, "\(status) is no error", expected: "a status from 400 to 599")
                }
                var own = byStatus[status] ?? ErrorPaths()
                Fields.read(value, paths, desk) { readPaths($0, into: &own) }
                byStatus[status] = own
            }
            // What a status leaves unsaid is as for all; filled in last, so that layers may come in any order.
            for (status, own) in byStatus {
                byStatus[status] = ErrorPaths(message: own.message ?? error.message, code: own.code ?? error.code)
            }
        }
    }

    private static func readPaths(_ fields: Fields, into error: inout ErrorPaths) {
        fields.set("message", &error.message, fields.desk.singlePath)
        fields.set("code", &error.code, fields.desk.singlePath)
    }
}

extension Desk {
    /// A key path such as `data.items[0]`.
    func fieldPath(_ node: SourceNode) -> FieldPath? {
        guard let text = text(node, what: "a key path") else { return nil }
        do {
            return try FieldPath.read(text)
        } catch {
            findings.mistake(
                at: node.place, "'\(text)' is no key path: \(error.message)", expected: error.expected,
                suggestion: error.suggestion.map { .didYouMean($0) })
            return nil
        }
    }

    /// The path of one value, of which nobody minds if it is missing.
    func singlePath(_ node: SourceNode) -> FieldPath? {
        guard let path = fieldPath(node) else { return nil }
        if path.hasWildcard {
            findings.mistake(
                at: node.place, "'*' in '\(path)' yields many values where one is wanted",
                expected: "an index, such as [0] for the first of them")
            return nil
        }
        if path.components.contains(where: \.isOptional) {
            findings.mistake(
                at: node.place, "'?' in '\(path)' says nothing here", expected: "the path without it",
                suggestion: .didYouMean(
                    FieldPath(components: path.components.map { .init($0.step) }).description))
            return nil
        }
        return path
    }
}
