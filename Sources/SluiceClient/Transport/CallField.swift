/// One field of a request or an answer (RFC 9110 §5). Duplicates survive, in their order.
public struct CallField: Sendable, Hashable {
    /// Compares in any case (RFC 9110 §5.1).
    public var name: String
    /// As it is sent: no control characters, and no blanks at its ends.
    public var value: String

    /// A field; what cannot be sent is refused when it is.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [CallField] {
    /// The value of the first field of that name.
    public subscript(name: String) -> String? {
        first { $0.isNamed(name) }?.value
    }

    /// The values of all fields of that name, in their order.
    public func values(of name: String) -> [String] {
        filter { $0.isNamed(name) }.map(\.value)
    }
}

extension CallField {
    func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { Self.lowercased($0) == Self.lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

/// A value may be a key or a token: it is in no text that is made of a field, nor of what has fields.
extension CallField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(name): …" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
