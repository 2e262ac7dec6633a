/// A value that a request's wrapper waits for.
enum ParameterSlot<Value: ParameterValue>: Sendable {
    case unset
    case set(Value)

    /// Reading what was never set is a mistake of the program, as with any variable.
    var value: Value {
        switch self {
        case .set(let value): value
        case .unset: preconditionFailure("a request's property was read before it was set")
        }
    }

    /// The texts to send.
    func texts(of name: String) throws(CallError) -> [String] {
        switch self {
        case .set(let value): value.parameterTexts
        case .unset: throw .encode("'\(name)' of the request was not set.")
        }
    }
}
