internal import SluiceJSON

/// A JSON document that another program has sent, as a whole.
enum JSONTree {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    /// As it is written.
    case number(String)
    case bool(Bool)
    case null

    /// - Returns: nil where the bytes are no JSON (RFC 8259), or beyond the limits. Of a key that stands there twice
    ///   the last one counts.
    init?(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
        guard bytes.withUnsafeBytes({ JSONCheck.isValid($0, limits: limits) }) else { return nil }
        var reader = Reader(bytes: bytes, limits: limits)
        self = reader.value()
    }

    /// Reads a document that has been checked: it is well-formed, and not too deep.
    private struct Reader {
        let bytes: [UInt8]
        let limits: JSONLimits
        var position = 0

        /// The next byte that is no white space.
        private mutating func next() -> UInt8 {
            while [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
            return bytes[position]
        }

        mutating func value() -> JSONTree {
            switch next() {
            case UInt8(ascii: "{"): object()
            case UInt8(ascii: "["): array()
            case UInt8(ascii: "\""): .string(string())
            default: scalar()
            }
        }

        private mutating func object() -> JSONTree {
            var members: [String: JSONTree] = [:]
            position += 1
            while next() != UInt8(ascii: "}") {
                if bytes[position] == UInt8(ascii: ",") {
                    position += 1
                    continue
                }
                let key = string()
                _ = next()
                position += 1  // The colon.
                members[key] = value()
            }
            position += 1
            return .object(members)
        }

        private mutating func array() -> JSONTree {
            var items: [JSONTree] = []
            position += 1
            while next() != UInt8(ascii: "]") {
                if bytes[position] == UInt8(ascii: ",") { position += 1 } else { items.append(value()) }
            }
            position += 1
            return .array(items)
        }

        private mutating func string() -> String {
            let start = position
            position += 1
            while bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            position += 1
            return JSONText.unquote(String(decoding: bytes[start..<position], as: UTF8.self), limits: limits) ?? ""
        }

        private mutating func scalar() -> JSONTree {
            let start = position
            while position < bytes.count, !Self.ends.contains(bytes[position]) { position += 1 }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            switch text {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "null": return .null
            default: return .number(text)
            }
        }

        private static let ends = Set(",]} \t\r\n".utf8)
    }
}
