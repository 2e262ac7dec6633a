package import SluiceContract

extension Scalar {
    /// Whether JSON writes it as a string.
    package var isText: Bool {
        switch self {
        case .string, .uuid, .url, .data, .date(.iso8601), .date(.local), .quoted: true
        case .bool, .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double, .decimal,
            .date(.seconds), .date(.milliseconds), .json:
            false
        }
    }

    /// Whether a text is a value of it, by the rules that values are checked by.
    package func takes(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { ScalarText.check(UnsafeRawBufferPointer($0), as: .scalar(self)) }
    }
}
