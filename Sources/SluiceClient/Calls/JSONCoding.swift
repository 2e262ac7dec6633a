import FoundationEssentials

/// How values of a program become JSON and come back.
///
/// The coder is Foundation's smallest part, which comes with the toolchain: `Codable` types of a program are to mean
/// here what they mean everywhere.
public struct JSONCoding: Sendable, Hashable {
    /// How dates are written.
    public enum Dates: Sendable, Hashable {
        /// `2026-11-23T02:20:00Z`, also read with fractions of a second (RFC 3339).
        case iso8601
        /// Seconds since 1970.
        case seconds
        /// Milliseconds since 1970.
        case milliseconds
        /// As `Date` codes itself: seconds since 2001.
        case deferred
    }

    /// How dates are written.
    public var dates: Dates
    /// How names of properties are written.
    public var keys: KeyCoding

    /// A way of writing; without arguments dates are RFC 3339, and names are as they are.
    public init(dates: Dates = .iso8601, keys: KeyCoding = .asWritten) {
        self.dates = dates
        self.keys = keys
    }

    static let plain = JSONCoding()

    /// Decodes a document.
    ///
    /// - Throws: ``CallError/decode(_:)``, with the place.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(CallError) -> Value {
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw .decode(DecodeFault(error, body: bytes))
        }
    }

    /// Encodes a value; members stand in the order of their names, so that the same value is the same text.
    ///
    /// - Throws: ``CallError/encode(_:)``, with the place.
    public func encode<Value: Encodable>(_ value: Value) throws(CallError) -> [UInt8] {
        do {
            return [UInt8](try encoder.encode(value))
        } catch EncodingError.invalidValue(_, let context) {
            throw .encode("\(DecodeFault.text(of: context.codingPath)): \(context.debugDescription)")
        } catch {
            throw .encode("\(error)")
        }
    }

    private var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        switch dates {
        case .iso8601: decoder.dateDecodingStrategy = .custom { try Self.date(from: $0) }
        case .seconds: decoder.dateDecodingStrategy = .secondsSince1970
        case .milliseconds: decoder.dateDecodingStrategy = .millisecondsSince1970
        case .deferred: decoder.dateDecodingStrategy = .deferredToDate
        }
        if keys == .snakeCase {
            decoder.keyDecodingStrategy = .custom { WireKey(KeyCoding.camelCase($0.last?.stringValue ?? "")) }
        }
        return decoder
    }

    private var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        switch dates {
        case .iso8601: encoder.dateEncodingStrategy = .iso8601
        case .seconds: encoder.dateEncodingStrategy = .secondsSince1970
        case .milliseconds: encoder.dateEncodingStrategy = .millisecondsSince1970
        case .deferred: encoder.dateEncodingStrategy = .deferredToDate
        }
        if keys == .snakeCase {
            encoder.keyEncodingStrategy = .custom { WireKey(KeyCoding.snakeCase.name($0.last?.stringValue ?? "")) }
        }
        return encoder
    }

    private static func date(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        for hasFraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
            if let date = try? style.parse(text) { return date }
        }
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no date of RFC 3339")
    }
}
