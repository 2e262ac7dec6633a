import CSIMD

extension ScalarGrammar {
    /// Whether a text meets this grammar; the values of a set are compared elsewhere. The text of a number is known to
    /// be one (RFC 8259 §6).
    func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .anyString, .anyNumber: true
        case .literals, .openLiterals: false
        case .quotedInt: IntegerText.value(text, as: Int64.self) != nil
        case .quotedDouble: NumberText.isNumber(text) && DoubleText.isFinite(text)
        case .quotedDecimal: NumberText.isNumber(text)
        case .quotedBool: text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
        case .double: DoubleText.isFinite(text)
        case .date: DateText.isDate(text)
        case .localDate: DateText.isDate(text, mayBeLocal: true)
        case .uuid: UUIDText.isUUID(text)
        case .url: URLText.isURL(text)
        case .base64: Base64Text.isBase64(text)
        case .int8: IntegerText.value(text, as: Int8.self) != nil
        case .int16: IntegerText.value(text, as: Int16.self) != nil
        case .int32: IntegerText.value(text, as: Int32.self) != nil
        case .int64: IntegerText.value(text, as: Int64.self) != nil
        case .uint8: IntegerText.value(text, as: UInt8.self) != nil
        case .uint16: IntegerText.value(text, as: UInt16.self) != nil
        case .uint32: IntegerText.value(text, as: UInt32.self) != nil
        case .uint64: IntegerText.value(text, as: UInt64.self) != nil
        }
    }
}

extension ScalarGrammar {
    /// The type that the author may want to declare instead, if a text nearly meets this grammar.
    func hint(for text: UnsafeBufferPointer<UInt8>) -> String? {
        switch self {
        case .date where DateText.isDate(text, mayBeLocal: true):
            "a time without an offset from UTC is of type Date(local)"
        case .url where URLText.isRelative(text): "a URL that begins without a scheme, such as https:, is a String"
        default: nil
        }
    }
}

/// Integers by their digits: `-?(0|[1-9][0-9]*)`, never by way of a floating-point number. Unsigned types do not accept
/// `-0` either.
enum IntegerText {
    static func value<Value: FixedWidthInteger>(_ text: UnsafeBufferPointer<UInt8>, as type: Value.Type) -> Value? {
        var index = 0
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        if isNegative, !Value.isSigned { return nil }
        if isNegative { index = 1 }
        guard index < text.count, text.count - index <= 20 else { return nil }
        if text[index] == UInt8(ascii: "0"), text.count > index + 1 { return nil }
        var value: Value = 0
        while index < text.count {
            guard sluice_json_is_digit(text[index]) else { return nil }
            let digit = Value(truncatingIfNeeded: text[index] & 15)
            let (tenfold, overflows) = value.multipliedReportingOverflow(by: 10)
            let (next, isBeyond) =
                isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            if overflows || isBeyond { return nil }
            value = next
            index += 1
        }
        return value
    }
}

/// `UUID` (RFC 9562 §4): 8-4-4-4-12 hexadecimal digits of either case.
enum UUIDText {
    static func isUUID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default: if sluice_json_hex_digit(byte) < 0 { return false }
            }
        }
        return true
    }
}

/// `Data`: base64 with padding (RFC 4648 §4).
enum Base64Text {
    static func isBase64(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count % 4 == 0 else { return false }
        var digits = text.count
        while digits > 0, text.count - digits < 2, text[digits - 1] == UInt8(ascii: "=") { digits -= 1 }
        for index in 0..<digits {
            switch text[index] {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                continue
            default: return false
            }
        }
        return true
    }
}
