infix operator ++ : MultiplicationPrecedence
infix operator <- : MultiplicationPrecedence
infix operator ->> : AdditionPrecedence
postfix operator >?
postfix operator <!

extension RestQuery {
    /// `$fruits ++ ["limit": 5]`: the same property with more parameters; of a name on both sides, the right one's
    /// value.
    public static func ++ <Key: CustomStringConvertible, Param>(query: RestQuery, params: [Key: Param]) -> RestQuery {
        query.with(params)
    }

    /// The same with parameters of different types.
    @_disfavoredOverload
    public static func ++ (query: RestQuery, params: QueryItems) -> RestQuery {
        query.with(params)
    }

    /// The parameters of both queries, of a name on both sides the right one's, for the left one's property.
    public static func ++ (query: RestQuery, other: RestQuery) -> RestQuery {
        query.with(other.declaration.params)
    }

    /// `try await $fruit>?` is `try await $fruit.get()`.
    @discardableResult
    public static postfix func >? (query: RestQuery) async throws(CallError) -> Value {
        try await query.get()
    }

    /// `$fruit>?` without `await`: a call that is made on demand.
    public static postfix func >? (query: RestQuery) -> RestOperation<Value> {
        RestOperation { () async throws(CallError) in try await query.get() }
    }

    /// `try await $account<!` is `try await $account.post()`.
    @discardableResult
    public static postfix func <! (query: RestQuery) async throws(CallError) -> Value {
        try await query.post()
    }

    /// `$account<!` without `await`; the value is the one held when the call is made.
    public static postfix func <! (query: RestQuery) -> RestOperation<Value> {
        RestOperation { () async throws(CallError) in try await query.post() }
    }

    /// `try await ($account <- new)` is `try await $account.post(new)`.
    @discardableResult
    public static func <- (query: RestQuery, value: Value) async throws(CallError) -> Value {
        try await query.post(value)
    }

    /// `$account <- new` without `await`.
    public static func <- (query: RestQuery, value: Value) -> RestOperation<Value> {
        RestOperation { () async throws(CallError) in try await query.post(value) }
    }
}

extension RestOperation {
    /// `a ->> b`: b when a has succeeded, and not at all when it has failed.
    public static func ->> <First: Sendable>(first: RestOperation<First>, second: RestOperation) -> RestOperation {
        RestOperation { () async throws(CallError) in
            _ = try await first.value()
            return try await second.value()
        }
    }
}
