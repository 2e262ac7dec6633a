/// Parameters whose names are the cases of an enum: none is forgotten, and none is misspelt.
///
/// ```swift
/// struct NewFruit: KeyedAPIParameters {
///     enum Key: String, ParamJSONKey { case name, size }
///     var name: String
///     var size: Int
///     func param(for key: Key) -> any APIParamConvertible {
///         switch key {
///         case .name: name
///         case .size: size
///         }
///     }
/// }
/// ```
public protocol KeyedAPIParameters: APIParameters {
    associatedtype Key: ParamJSONKey

    func param(for key: Key) -> any APIParamConvertible
}

extension KeyedAPIParameters {
    public func toParamDictionary() -> [String: any APIParamConvertible] {
        Dictionary(Key.allCases.map { ($0.stringValue, param(for: $0)) }) { $1 }
    }
}

/// The names of parameters.
public protocol ParamJSONKey: RawRepresentable, Hashable, CaseIterable, Sendable {
    /// The name on the wire.
    var stringValue: String { get }
}

extension ParamJSONKey where RawValue == String {
    public var stringValue: String { rawValue }
}
