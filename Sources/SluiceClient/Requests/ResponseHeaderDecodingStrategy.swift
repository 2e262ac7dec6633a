/// How a property holds a header field.
public protocol ResponseHeaderDecodingStrategy: Sendable {
    /// What the property holds.
    associatedtype RawValue: Sendable

    /// The value of a field, from all its values in their order.
    ///
    /// - Returns: nil where the answer lacks what must be there.
    static func value(of values: [String]) -> RawValue?
}

/// A field that must be there; the first, where it stands more than once.
public enum DefaultHeaderStrategy: ResponseHeaderDecodingStrategy {
    public static func value(of values: [String]) -> String? { values.first }
}

/// The name of ``DefaultHeaderStrategy`` in the examples of Postie.
public typealias DefaultStrategy = DefaultHeaderStrategy

/// A field that may be there.
public enum DefaultHeaderStrategyOptional: ResponseHeaderDecodingStrategy {
    public static func value(of values: [String]) -> String?? { .some(values.first) }
}

/// All values of a field, which may stand more than once or not at all.
public enum AllHeadersStrategy: ResponseHeaderDecodingStrategy {
    public static func value(of values: [String]) -> [String]? { values }
}
