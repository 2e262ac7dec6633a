/// A property that is bound to a path of the gateway.
///
/// ```swift
/// @Rest(path: "fruits", params: ["limit": 10], parent: Fruits.self, prop: \.values) var fruits: [Fruit] = []
/// ```
///
/// `fruits` is the latest value, or the initial one; `$fruits` is the ``RestQuery`` that asks and sends. The wrapper is
/// a reference: all of it works on a `let`, and copies share one value. Which gateway is asked is settled at each call
/// (``GatewayClient/current()``, ``Bindings/use(_:)``), not where the property is declared.
@propertyWrapper
public struct Rest<Parent: Sendable, Value: Codable & Sendable>: Sendable {
    /// The latest value, or the initial one.
    public var wrappedValue: Value {
        get { projectedValue.wrappedValue }
        nonmutating set { projectedValue.wrappedValue = newValue }
    }

    /// What asks and sends.
    public let projectedValue: RestQuery<Parent, Value>

    private init(_ value: Value, _ declaration: RestDeclaration, _ shape: RestShape<Value>) {
        projectedValue = RestQuery(declaration: declaration, cell: RestCell(value), shape: shape)
    }
}

extension Rest where Parent == Value {
    /// Binds a property to a path.
    ///
    /// - Parameters:
    ///   - wrappedValue: What the property holds before anything was asked.
    ///   - path: The local path, with or without a `/` in front.
    ///   - bearer: Whether the upstream's credential goes with it; see ``RestDeclaration/bearer``.
    ///   - answer: What is held after a value was sent: what the API answers, unless `bearer` is false.
    ///   - methods: What a gateway made of the property serves: GET and POST, unless told.
    public init(
        wrappedValue: Value, path: String, bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil
    ) {
        let none = RestDeclaration(path: path, params: QueryItems(), bearer: bearer, answer: answer, methods: methods)
        self.init(wrappedValue, none, .root)
    }

    /// Binds a property to a path with parameters of any printable keys and values.
    public init<Key: CustomStringConvertible, Param: CustomStringConvertible>(
        wrappedValue: Value, path: String, params: [Key: Param], bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil
    ) {
        let all = RestDeclaration(
            path: path, params: QueryItems(params), bearer: bearer, answer: answer, methods: methods)
        self.init(wrappedValue, all, .root)
    }

    /// Binds a property to a path with parameters of different types.
    @_disfavoredOverload
    public init(
        wrappedValue: Value, path: String, params: QueryItems, bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil
    ) {
        let all = RestDeclaration(path: path, params: params, bearer: bearer, answer: answer, methods: methods)
        self.init(wrappedValue, all, .root)
    }
}

extension Rest where Parent: ParentCodable, Parent.ChildCodable == Value {
    /// Binds a property to a part of what is at a path.
    ///
    /// - Parameters:
    ///   - wrappedValue: What the property holds before anything was asked.
    ///   - path: The local path, with or without a `/` in front.
    ///   - bearer: Whether the upstream's credential goes with it; see ``RestDeclaration/bearer``.
    ///   - answer: What is held after a value was sent: what the API answers, unless `bearer` is false.
    ///   - methods: What a gateway made of the property serves: GET and POST, unless told.
    ///   - parent: What an answer is decoded as, and what is sent.
    ///   - prop: Where the value is in it.
    public init(
        wrappedValue: Value, path: String, bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil, parent: Parent.Type,
        prop: KeyPath<Parent, Value> & Sendable
    ) {
        let none = RestDeclaration(path: path, params: QueryItems(), bearer: bearer, answer: answer, methods: methods)
        self.init(wrappedValue, none, .parent(parent, prop))
    }

    /// Binds a property to a part of what is at a path with parameters of any printable keys and values.
    public init<Key: CustomStringConvertible, Param: CustomStringConvertible>(
        wrappedValue: Value, path: String, params: [Key: Param], bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil,
        parent: Parent.Type, prop: KeyPath<Parent, Value> & Sendable
    ) {
        let all = RestDeclaration(
            path: path, params: QueryItems(params), bearer: bearer, answer: answer, methods: methods)
        self.init(wrappedValue, all, .parent(parent, prop))
    }

    /// Binds a property to a part of what is at a path with parameters of different types.
    @_disfavoredOverload
    public init(
        wrappedValue: Value, path: String, params: QueryItems, bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil,
        parent: Parent.Type, prop: KeyPath<Parent, Value> & Sendable
    ) {
        let all = RestDeclaration(path: path, params: params, bearer: bearer, answer: answer, methods: methods)
        self.init(wrappedValue, all, .parent(parent, prop))
    }
}

extension Rest where Parent == Value, Value: ExpressibleByNilLiteral {
    /// Binds a property that holds nil before anything was asked: `@Rest(path: "fruit") var fruit: Fruit?`.
    public init(
        path: String, params: QueryItems = QueryItems(), bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil
    ) {
        self.init(wrappedValue: nil, path: path, params: params, bearer: bearer, answer: answer, methods: methods)
    }
}

extension Rest where Parent: ParentCodable, Parent.ChildCodable == Value, Value: ExpressibleByNilLiteral {
    /// Binds a property that holds nil before anything was asked to a part of what is at a path.
    public init(
        path: String, params: QueryItems = QueryItems(), bearer: Bool = true, answer: RestAnswer? = nil,
        methods: Set<HTTPMethod>? = nil, parent: Parent.Type, prop: KeyPath<Parent, Value> & Sendable
    ) {
        self.init(
            wrappedValue: nil, path: path, params: params, bearer: bearer, answer: answer, methods: methods,
            parent: parent, prop: prop)
    }
}
