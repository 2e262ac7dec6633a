extension JSONWebToken.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONWebToken.Value {
    /// As JSON without blanks (RFC 8259).
    var json: [UInt8] {
        var text: [UInt8] = []
        append(to: &text)
        return text
    }

    private func append(to text: inout [UInt8]) {
        switch self {
        case .string(let string): Self.append(string, to: &text)
        case .number(let number): text += String(number).utf8
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .array(let values):
            Self.append(values, between: "[", "]", to: &text) { $0.append(to: &$1) }
        case .object(let members):
            Self.append(members, between: "{", "}", to: &text) { member, text in
                Self.append(member.name, to: &text)
                text.append(UInt8(ascii: ":"))
                member.value.append(to: &text)
            }
        }
    }

    private static func append<Item>(
        _ items: [Item], between first: Unicode.Scalar, _ last: Unicode.Scalar, to text: inout [UInt8],
        _ appendItem: (Item, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: first))
        for (index, item) in items.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            appendItem(item, &text)
        }
        text.append(UInt8(ascii: last))
    }

    /// Escapes only what has to be escaped (RFC 8259 §7).
    private static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: text += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
