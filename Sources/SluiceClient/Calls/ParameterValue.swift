/// A value that a path, a query or a header field can carry as text.
///
/// Texts, numbers, truth values, optionals, arrays and sets are such values, and so is an enum with a raw value that
/// says it is one: `enum Order: String, ParameterValue { case name, size }`.
public protocol ParameterValue: Sendable {
    /// The texts that stand for the value: none for what is absent, one for a scalar, one for each element of a list.
    var parameterTexts: [String] { get }
}

extension String: ParameterValue {
    public var parameterTexts: [String] { [self] }
}

extension Substring: ParameterValue {
    public var parameterTexts: [String] { [String(self)] }
}

extension Bool: ParameterValue {
    public var parameterTexts: [String] { [self ? "true" : "false"] }
}

extension ParameterValue where Self: BinaryInteger {
    public var parameterTexts: [String] { [String(self)] }
}

extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}

extension Double: ParameterValue {
    public var parameterTexts: [String] { [description] }
}

extension Float: ParameterValue {
    public var parameterTexts: [String] { [description] }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
    public var parameterTexts: [String] { rawValue.parameterTexts }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    public var parameterTexts: [String] { self?.parameterTexts ?? [] }
}

/// Values that stand for several, be there one of them or none.
protocol ParameterList {
    /// The texts of its elements, of whatever type these are.
    var printedTexts: [String] { get }
}

extension Array: ParameterList {
    var printedTexts: [String] { flatMap { PrintedParameter.texts(of: $0) } }
}

extension ArraySlice: ParameterList {
    var printedTexts: [String] { flatMap { PrintedParameter.texts(of: $0) } }
}

extension Set: ParameterList {
    var printedTexts: [String] { flatMap { PrintedParameter.texts(of: $0) }.sorted() }
}

extension Array: ParameterValue where Element: ParameterValue {
    public var parameterTexts: [String] { flatMap(\.parameterTexts) }
}

/// The order of a set is none, and the same request is to have the same target: its texts are sorted.
extension Set: ParameterValue where Element: ParameterValue {
    public var parameterTexts: [String] { flatMap(\.parameterTexts).sorted() }
}
