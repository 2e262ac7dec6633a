/// A wrapped property of a request that is one parameter: an item of the query, a header field, a part of the path.
///
/// Its place is what ``QueryItem``, ``RequestHeader`` and ``RequestPathParameter`` differ in.
@propertyWrapper
public struct RequestParameter<Place: ParameterPlace, Value: ParameterValue>: Sendable {
    private let name: String?
    private var slot: ParameterSlot<Value>

    /// The value. Reading one that was never set ends the program; sending it throws ``CallError/encode(_:)``.
    public var wrappedValue: Value {
        get { slot.value }
        set { slot = .set(newValue) }
    }

    /// A parameter that is called like its property.
    public init(wrappedValue: Value) {
        self.init(name: nil, defaultValue: wrappedValue)
    }

    /// A parameter under another name than its property's, to be set before the request is sent.
    public init(name: String?) {
        self.name = name
        slot = .unset
    }

    /// A parameter under another name than its property's, with a value to begin with.
    public init(name: String?, defaultValue: Value) {
        self.name = name
        slot = .set(defaultValue)
    }

    /// A parameter under another name than its property's, with a value to begin with.
    public init(wrappedValue: Value, name: String?) {
        self.init(name: name, defaultValue: wrappedValue)
    }
}

extension RequestParameter where Value: ExpressibleByNilLiteral {
    /// A parameter that is nil until it is set.
    public init() {
        self.init(name: nil, defaultValue: nil)
    }

    /// A parameter under another name than its property's, that is nil until it is set.
    public init(name: String?) {
        self.init(name: name, defaultValue: nil)
    }
}

extension RequestParameter: RequestPart {
    func contribute(as property: String, to parts: inout RequestParts) throws(CallError) {
        switch Place.location {
        case .query:
            let name = name ?? parts.keys.name(property)
            parts.query.append(name, try slot.texts(of: name))
        case .header:
            let name = name ?? HeaderName.of(property)
            parts.fields += try slot.texts(of: name).map { CallField(name, $0) }
        case .path:
            let name = name ?? property
            parts.pathParameters.append((name, try slot.texts(of: name)))
        }
    }
}

// An initialiser that the compiler writes takes the wrapper itself where that has a name, and a literal for it: what a
// place of the path is called is looked for then by the property's name. Items and fields have no literals: they would
// go out under another name, and nobody would tell.

extension RequestParameter: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
where Place == InPath, Value == String {
    public init(stringLiteral value: String) {
        self.init(wrappedValue: value)
    }
}

extension RequestParameter: ExpressibleByIntegerLiteral where Place == InPath, Value == Int {
    public init(integerLiteral value: Int) {
        self.init(wrappedValue: value)
    }
}

extension RequestParameter: Encodable where Value: Encodable {
    /// As the value itself; nothing where it was not set.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard case .set(let value) = slot else { return try container.encodeNil() }
        try container.encode(value)
    }
}
