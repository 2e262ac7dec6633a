// What swift-argument-parser takes of FoundationEssentials, for the binary that ships: the real one is 6 MB, of which no
// linker can leave anything out (docs/decisions/weight-of-the-binary.md). `scripts/setup-lib` compiles it; a build of the
// package without scripts takes the real one.

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
}

public struct Data: Sendable {
    fileprivate let text: String
}

extension String {
    public struct Encoding: Sendable {
        public static let utf8 = Encoding()
    }

    public init?(data: Data, encoding: Encoding) { self = data.text }
}

/// Encodes the description of the command that `--experimental-dump-help` prints.
public final class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        public static let sortedKeys = OutputFormatting(rawValue: 2)
    }

    public var outputFormatting: OutputFormatting = []

    public init() {}

    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        let node = Node()
        try node.take(value, at: [])
        return Data(text: node.text(outputFormatting, indent: ""))
    }
}

/// A value on its way: filled by whoever is handed it as an encoder.
private final class Node: Encoder {
    enum Content {
        case scalar(String)
        case object([(key: String, node: Node)])
        case array([Node])
    }

    var content = Content.scalar("null")
    var codingPath: [any CodingKey] = []
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func take(_ value: some Encodable, at codingPath: [any CodingKey]) throws {
        self.codingPath = codingPath
        switch value {
        case let text as String: content = .scalar(Self.quoted(text))
        case let bool as Bool: content = .scalar(bool ? "true" : "false")
        case let number as any FixedWidthInteger: content = .scalar("\(number)")
        case let number as Double where number.isFinite: content = .scalar("\(number)")
        default: try value.encode(to: self)
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = content {} else { content = .object([]) }
        return KeyedEncodingContainer(Members(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array = content {} else { content = .array([]) }
        return Items(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: self) }

    /// A value inside.
    func member(_ key: any CodingKey) -> Node {
        let node = Node()
        node.codingPath = codingPath + [key]
        if case .object(let members) = content { content = .object(members + [(key.stringValue, node)]) }
        return node
    }

    func item() -> Node {
        let node = Node()
        node.codingPath = codingPath
        if case .array(let items) = content { content = .array(items + [node]) }
        return node
    }

    func text(_ format: JSONEncoder.OutputFormatting, indent: String) -> String {
        let isPretty = format.contains(.prettyPrinted)
        let inner = isPretty ? indent + "  " : ""
        func list(_ parts: [String], _ open: String, _ close: String) -> String {
            if parts.isEmpty { return open + close }
            let (before, between, after) = isPretty ? ("\n" + inner, ",\n" + inner, "\n" + indent) : ("", ",", "")
            return open + before + parts.joined(separator: between) + after + close
        }
        switch content {
        case .scalar(let text): return text
        case .array(let items): return list(items.map { $0.text(format, indent: inner) }, "[", "]")
        case .object(let members):
            let ordered = format.contains(.sortedKeys) ? members.sorted { $0.key < $1.key } : members
            let separator = isPretty ? " : " : ":"
            return list(
                ordered.map { Self.quoted($0.key) + separator + $0.node.text(format, indent: inner) }, "{", "}")
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

private struct Single: SingleValueEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { node.codingPath }

    mutating func encodeNil() throws {}
    mutating func encode<Value: Encodable>(_ value: Value) throws { try node.take(value, at: codingPath) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    var codingPath: [any CodingKey] { node.codingPath }

    mutating func encodeNil(forKey key: Key) throws { _ = node.member(key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.member(key).take(value, at: codingPath + [key])
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { node.member(key).container(keyedBy: type) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.member(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { node }
    mutating func superEncoder(forKey key: Key) -> any Encoder { node.member(key) }
}

private struct Items: UnkeyedEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { node.codingPath }

    var count: Int {
        if case .array(let items) = node.content { items.count } else { 0 }
    }

    mutating func encodeNil() throws { _ = node.item() }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try node.item().take(value, at: codingPath) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { node.item().container(keyedBy: type) }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.item().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { node.item() }
}
