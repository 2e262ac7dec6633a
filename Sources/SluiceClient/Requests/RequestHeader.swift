/// A header field of the request: nothing where the value is nil, one field for each element of a list.
///
/// Without a name of its own, `ifNoneMatch` is `If-None-Match`.
@propertyWrapper
public struct RequestHeader<Value: ParameterValue>: Sendable, RequestPart {
    private let name: String?
    private var slot: ParameterSlot<Value>

    public var wrappedValue: Value {
        get { slot.value }
        set { slot = .set(newValue) }
    }

    public init(wrappedValue: Value) {
        self.init(name: nil, defaultValue: wrappedValue)
    }

    /// A field under another name than its property's, to be set before the request is sent.
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
        let name = name ?? HeaderName.of(property)
        let texts = try slot.texts(of: name)
        parts.fields += texts.map { CallField(name, $0) }
    }
}

extension RequestHeader where Value: ExpressibleByNilLiteral {
    public init() {
        self.init(name: nil, defaultValue: nil)
    }

    public init(name: String?) {
        self.init(name: name, defaultValue: nil)
    }
}
