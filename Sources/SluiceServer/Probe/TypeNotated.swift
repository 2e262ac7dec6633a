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
}
