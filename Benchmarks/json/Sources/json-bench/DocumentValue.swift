/// A JSON value of a document that is known to be right.
indirect enum DocumentValue {
    case null, bool, integer, number
    case string(String)
    case array([DocumentValue])
    case object([(key: String, value: DocumentValue)])
}

/// Reads a document; traps where it is none.
struct DocumentReader {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func value() -> DocumentValue {
        switch peek() {
        case UInt8(ascii: "{"): .object(list { ($0.key(), $0.value()) })
        case UInt8(ascii: "["): .array(list { $0.value() })
        case UInt8(ascii: "\""): .string(string())
        default: scalar()
        }
    }

    /// The byte behind whitespace.
    private mutating func peek() -> UInt8 {
        while bytes[next] <= 0x20 { next += 1 }
        return bytes[next]
    }

    private mutating func list<T>(_ item: (inout Self) -> T) -> [T] {
        let end = peek() + 2
        next += 1
        var items: [T] = []
        while peek() != end {
            if bytes[next] == UInt8(ascii: ",") { next += 1 }
            items.append(item(&self))
        }
        next += 1
        return items
    }

    private mutating func key() -> String {
        _ = peek()
        let key = string()
        precondition(peek() == UInt8(ascii: ":"))
        next += 1
        return key
    }

    /// Of escapes `\/` alone matters for what a text is.
    private mutating func string() -> String {
        next += 1
        var text: [UInt8] = []
        while bytes[next] != UInt8(ascii: "\"") {
            if bytes[next] == UInt8(ascii: "\\") { next += 1 }
            text.append(bytes[next])
            next += 1
        }
        next += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func scalar() -> DocumentValue {
        let start = next
        while next < bytes.count, !"],} \n\r\t".utf8.contains(bytes[next]) { next += 1 }
        return switch bytes[start] {
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        default: bytes[start..<next].contains { ".eE".utf8.contains($0) } ? .number : .integer
        }
    }
}
