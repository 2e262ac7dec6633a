import SluiceJSON
import SluiceRules

/// A node of the YAML document with its place; scalars keep the text of the source, however YAML 1.1 would interpret it
/// (`no`, `0660` and `1e3` are texts until a section reads them as something else).
struct SourceNode: Hashable, Sendable {
    var content: Content
    var place: Place

    enum Content: Hashable, Sendable {
        case scalar(Scalar)
        case sequence([SourceNode])
        case mapping(Mapping)
    }

    struct Scalar: Hashable, Sendable {
        var text: String
        var style: Style

        enum Style: Hashable, Sendable {
            case plain, quoted
            /// `|` or `>`: offsets in the text are no columns of the file.
            case block
        }
    }

    struct Mapping: Hashable, Sendable {
        var entries: [Entry]
        /// Written in braces.
        var isFlow: Bool

        struct Entry: Hashable, Sendable {
            var key: SourceNode
            var value: SourceNode
        }
    }

    /// Line and column, counted from 1; columns count characters (Unicode scalars).
    struct Place: Hashable, Sendable {
        var line: Int
        var column: Int
        /// Number of the page among those that make the configuration; the first includes the others.
        var page = 0
    }

    /// The text of a scalar.
    var text: String? {
        if case .scalar(let scalar) = content { scalar.text } else { nil }
    }

    /// Whether this is a plain scalar, without quotes.
    var isPlain: Bool {
        if case .scalar(let scalar) = content { scalar.style == .plain } else { false }
    }

    /// Whether the text is a word that switches something on or off.
    var isSwitch: Bool { ["true", "false", "yes", "no", "on", "off"].contains(text) }

    /// Whether this is a plain scalar that is empty, `~` or `null`.
    var isNull: Bool {
        guard case .scalar(let scalar) = content, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }

    var entries: [Mapping.Entry]? {
        if case .mapping(let mapping) = content { mapping.entries } else { nil }
    }

    var items: [SourceNode]? {
        if case .sequence(let items) = content { items } else { nil }
    }

    /// The value of a key of this mapping.
    func value(_ key: String) -> SourceNode? {
        entries?.first { $0.key.text == key }?.value
    }

    /// The kind of this node, for messages.
    var kind: String {
        switch content {
        // A URL with a password or a key is not repeated.
        case .scalar(let scalar) where URLText.hasUser(scalar.text) || ShownText.hasSecret(inQueryOf: scalar.text):
            "a text"
        case .scalar(let scalar): isNull ? "nothing" : "the text '\(Shown.line(of: scalar.text))'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The place of a byte of the scalar's text.
    func place(at offset: Int) -> Place {
        guard case .scalar(let scalar) = content, scalar.style != .block else { return place }
        let before = String(decoding: scalar.text.utf8.prefix(offset), as: UTF8.self)
        let quote = scalar.style == .quoted ? 1 : 0
        return Place(line: place.line, column: place.column + quote + before.unicodeScalars.count, page: place.page)
    }

    /// The same node, with its places on the page of this number.
    func onPage(_ page: Int) -> SourceNode {
        var node = self
        node.place.page = page
        switch content {
        case .scalar: break
        case .sequence(let items): node.content = .sequence(items.map { $0.onPage(page) })
        case .mapping(var mapping):
            mapping.entries = mapping.entries.map {
                .init(key: $0.key.onPage(page), value: $0.value.onPage(page))
            }
            node.content = .mapping(mapping)
        }
        return node
    }
}
