/// What a value of any type is as a parameter: the dictionaries of RestfulPropertyKit take all that can be printed.
enum PrintedParameter {
    /// The texts that stand for the value: as a ``ParameterValue`` where it is one; none for nil, those of its elements
    /// for a list, its own description where it has one, its raw value, and else what it prints as.
    static func texts(of value: Any) -> [String] {
        switch value {
        case let value as any ParameterValue: value.parameterTexts
        case let value as any MaybeParameter: value.wrapped.map { texts(of: $0) } ?? []
        case let value as any ParameterList: value.printedTexts
        case let value as any CustomStringConvertible: [value.description]
        case let value as any RawRepresentable: texts(of: value.rawValue)
        default: [String(describing: value)]
        }
    }

    /// Whether it stands for several, be there one of them or none.
    static func isList(_ value: Any) -> Bool { value is any ParameterList }
}

/// A value that may be nil, of whatever type it is else.
private protocol MaybeParameter {
    var wrapped: Any? { get }
}

extension Optional: MaybeParameter {
    fileprivate var wrapped: Any? { self }
}
