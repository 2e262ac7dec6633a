/// Where the value of a field stands, where that is no key of the object itself: deeper in the document, in a field of
/// the answer's head, or in its status.
public enum FieldSource: Hashable, Sendable {
    /// From the object on; it begins with a key.
    case path(FieldPath)
    /// A field of the answer's head (RFC 9110 §6.3).
    /// - relation: of a `Link` field, the one whose target is meant (RFC 8288 §3).
    case header(String, relation: String?)
    /// The status of the answer (RFC 9110 §15).
    case status

    /// What a text behind `from` means: a key of the object, or a place.
    public enum Reading: Hashable, Sendable {
        case key(String)
        case source(FieldSource)
    }

    /// Reads what stands behind `from`.
    ///
    ///     source = key / path / "header" name [ "rel=" relation ] / "http status"
    public static func read(_ text: String) throws(FieldPath.Malformed) -> Reading {
        if text == "http status" { return .source(.status) }
        if text.hasPrefix("header ") { return .source(try header(text.dropFirst(7))) }
        // What has no sign of a path is a key, whatever else it holds.
        guard
            text.hasPrefix("\"") || text.hasPrefix("$.") || text.hasPrefix("$[")
                || text.contains(".") || text.contains("[")
        else { return .key(text) }
        var path = try FieldPath.read(text)
        // An object has no index.
        if case .index(let index)? = path.components.first?.step { path.components[0] = .key(String(index)) }
        if path.components.count == 1, case .key(let key) = path.components[0].step, !path.components[0].isOptional {
            return .key(key)
        }
        return .source(.path(path))
    }

    private static func header(_ text: Substring) throws(FieldPath.Malformed) -> FieldSource {
        let words = text.split(separator: " ")
        guard let name = words.first, words.count <= 2 else {
            throw FieldPath.Malformed(
                message: "'header' has one name behind it", expected: "header X-Total, or header Link rel=next")
        }
        guard words.count == 2 else { return .header(String(name), relation: nil) }
        guard words[1].hasPrefix("rel="), words[1].count > 4 else {
            throw FieldPath.Malformed(
                message: "'\(words[1])' cannot stand behind a field's name", expected: "rel= and a relation: rel=next")
        }
        return .header(String(name), relation: String(words[1].dropFirst(4)))
    }

    /// The same key as a configuration writes it behind `from`.
    public static func written(key: String) -> String {
        if case .key(key)? = try? read(key) { return key }
        return JSONEscape.quoted(key)
    }

    public var path: FieldPath? {
        if case .path(let path) = self { path } else { nil }
    }
}

extension FieldSource: CustomStringConvertible {
    public var description: String {
        switch self {
        case .path(let path):
            // One key with a `?`, or in a way that would be read as something else.
            let text = path.description
            return (try? Self.read(text)) == .source(self) ? text : path.fromRoot
        case .header(let name, nil): return "header \(name)"
        case .header(let name, let relation?): return "header \(name) rel=\(relation)"
        case .status: return "http status"
        }
    }
}

extension ObjectType {
    /// Whether it is put together from its fields alone, wherever they stand: other keys are left out.
    public var isComposed: Bool { fields.contains { $0.source != nil } }

    /// Two fields of which one lies in what goes out for the other; nil where there are none.
    public var overlap: (Field, Field)? {
        guard isComposed else { return nil }
        for (number, field) in fields.enumerated() {
            guard let path = field.path else { continue }
            for other in fields[..<number] where other.path.map({ path.overlaps($0) }) ?? false {
                return (other, field)
            }
        }
        return nil
    }
}

extension ObjectType.Field {
    /// From the object on; nil where it stands in no document.
    public var path: FieldPath? {
        switch source {
        case nil: FieldPath(components: [.key(from ?? name)])
        case .path(let path): path
        case .header, .status: nil
        }
    }
}

extension FieldPath {
    /// What goes out while it is read: all below the first `*`, or the value; nil where an element is chosen before,
    /// which is held until then.
    private var streamed: ArraySlice<Component.Step>? {
        let steps = components.map(\.step)
        guard let first = steps.firstIndex(where: { $0 == .wildcard || $0.isChoice }) else { return steps[...] }
        return steps[first] == .wildcard ? steps[..<first] : nil
    }

    /// The container in which it goes out.
    private var place: ArraySlice<Component.Step> {
        let steps = components.map(\.step)
        return steps.prefix { $0 != .wildcard && !$0.isChoice }
    }

    /// Whether one of two values would go out in the middle of the other.
    public func overlaps(_ other: FieldPath) -> Bool {
        if let streamed, other.place.starts(with: streamed) { return true }
        if let streamed = other.streamed, place.starts(with: streamed) { return true }
        return false
    }
}
