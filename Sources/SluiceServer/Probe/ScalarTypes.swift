internal import FoundationEssentials
internal import SluiceClient
internal import SluiceContract

/// Types that stand for one value of JSON, and how they are written.
enum ScalarTypes {
    /// - Returns: nil for every other type.
    static func expression(of type: any Decodable.Type, _ dates: JSONCoding.Dates) -> TypeExpression? {
        if type == Date.self { return date(dates) }
        return table[ObjectIdentifier(type)].map { .scalar($0) }
    }

    private static func date(_ dates: JSONCoding.Dates) -> TypeExpression {
        switch dates {
        case .iso8601: .scalar(.date(.iso8601))
        case .seconds: .scalar(.date(.seconds))
        case .milliseconds: .scalar(.date(.milliseconds))
        // Seconds since 2001, which is no date to anybody else.
        case .deferred: .scalar(.double)
        }
    }

    private static let table: [ObjectIdentifier: Scalar] = [
        ObjectIdentifier(String.self): .string, ObjectIdentifier(Bool.self): .bool,
        ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int8.self): .int8, ObjectIdentifier(Int16.self): .int16,
        ObjectIdentifier(Int32.self): .int32, ObjectIdentifier(Int64.self): .int64,
        ObjectIdentifier(UInt.self): .uint, ObjectIdentifier(UInt8.self): .uint8,
        ObjectIdentifier(UInt16.self): .uint16, ObjectIdentifier(UInt32.self): .uint32,
        ObjectIdentifier(UInt64.self): .uint64,
        ObjectIdentifier(Double.self): .double, ObjectIdentifier(Float.self): .double,
        ObjectIdentifier(Decimal.self): .decimal, ObjectIdentifier(UUID.self): .uuid,
        ObjectIdentifier(URL.self): .url, ObjectIdentifier(Data.self): .data, ObjectIdentifier(JSONValue.self): .json,
    ]

    /// A value of such a type to go on with, one for each of ``paletteCount`` tries.
    static func value(of type: Any.Type, _ palette: Int) -> Any? {
        switch type {
        case is String.Type: texts[palette]
        case is Bool.Type: palette > 0
        case is Double.Type: Double(palette)
        case is Float.Type: Float(palette)
        case is Decimal.Type: Decimal(palette)
        case is Date.Type: Date(timeIntervalSince1970: Double(palette))
        case is UUID.Type: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(palette)))
        case is URL.Type: URL(string: "http://localhost/\(palette)")
        case is Data.Type: Data(repeating: UInt8(palette), count: palette)
        case is JSONValue.Type: palette == 0 ? JSONValue.null : JSONValue.integer(Int64(palette))
        case let integer as any FixedWidthInteger.Type: whole(integer, palette)
        default: nil
        }
    }

    static var paletteCount: Int { texts.count }

    /// What hand-written decoding may ask of a text: a word, nothing, a number, a date, a URL.
    private static let texts = ["a", "", "1", "2026-01-31T00:00:00Z", "http://localhost/", "no such case"]

    private static func whole<Integer: FixedWidthInteger>(_ type: Integer.Type, _ palette: Int) -> Any {
        Integer(palette == unlikely ? 113 : palette)
    }

    /// The palette whose texts and numbers are no cases of an enum.
    static var unlikely: Int { texts.count - 1 }
}
