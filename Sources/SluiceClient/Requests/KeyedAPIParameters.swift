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
///
/// A dictionary says the same (``toKeyedDictionary()``); a key that it lacks is not sent.
public protocol KeyedAPIParameters: APIParameters where ParamValue == any APIParamConvertible {
    /// The names, which are those on the wire.
    associatedtype Key: ParamJSONKey
    /// What stands beside a key in a dictionary of them.
    associatedtype KeyedValue = any APIParamConvertible

    /// The value of a parameter.
    func param(for key: Key) -> any APIParamConvertible
    /// All values by their keys; a key that is not there is not sent.
    func toKeyedDictionary() -> [Key: KeyedValue]
}

// One of the two has to be written, and the other one follows. Which one, the type of what stands beside a key decides:
// with neither, there is no conformance.

extension KeyedAPIParameters where KeyedValue == any APIParamConvertible {
    public func toKeyedDictionary() -> [Key: any APIParamConvertible] {
        Dictionary(Key.allCases.map { ($0, param(for: $0)) }) { $1 }
    }

    public func toParamDictionary() -> [String: any APIParamConvertible] {
        Dictionary(toKeyedDictionary().map { ($0.key.stringValue, $0.value) }) { $1 }
    }
}

extension KeyedAPIParameters where KeyedValue == APIParamValue {
    public func param(for key: Key) -> any APIParamConvertible { toKeyedDictionary()[key] ?? .null }

    public func toParamDictionary() -> [String: any APIParamConvertible] {
        Dictionary(toKeyedDictionary().map { ($0.key.stringValue, $0.value) }) { $1 }
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
