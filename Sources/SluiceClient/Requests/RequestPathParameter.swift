/// What stands at a place of the path: one segment, whatever characters it has.
@propertyWrapper
public struct RequestPathParameter<Value: ParameterValue>: Sendable, RequestPart {
    private let name: String?
    private var slot: ParameterSlot<Value>

    public var wrappedValue: Value {
        get { slot.value }
        set { slot = .set(newValue) }
    }

    public init(wrappedValue: Value) {
        self.init(name: nil, defaultValue: wrappedValue)
    }

    /// A parameter under another name than its property's, to be set before the request is sent.
    public init(name: String?) {
        self.name = name
        slot = .unset
    }

    public init(name: String?, defaultValue: Value) {
        self.name = name
        slot = .set(defaultValue)
    }

    public init(wrappedValue: Value, name: String?) {
        self.init(name: name, defaultValue: wrappedValue)
    }

    func contribute(as property: String, to parts: inout RequestParts) throws(CallError) {
        let name = name ?? property
        parts.pathParameters.append((name, try slot.texts(of: name)))
    }
}
