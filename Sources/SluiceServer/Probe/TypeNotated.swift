/// A type that says itself how its values are written, where its `init(from:)` does not show it.
///
/// ```swift
/// extension Money: TypeNotated {
///     static var typeNotation: String { "Decimal(string)" }
/// }
/// ```
public protocol TypeNotated {
    /// In the notation of a configuration's types: `"Int | String"`, `"[String: Double]"`.
    static var typeNotation: String { get }
    /// A value of the type, as JSON: `"\"1.50\""`. Asked for where the type stands in another one, and none of the
    /// plainest values is one of it.
    static var typeExample: String? { get }
}

extension TypeNotated {
    public static var typeExample: String? { nil }
}
