/// What `$fruit` is: the calls of a bound property, its parameters, and the value it holds.
///
/// A query is a value that points to the property's state: copies with other parameters change the same property.
/// `$fruit.name` reads, and where it is a variable writes, through to the value; a member that is called like one of
/// the query's own, such as `state`, is reached by `$fruit.wrappedValue.state`.
@dynamicMemberLookup
public struct RestQuery<Parent: Sendable, Value: Codable & Sendable>: Sendable {
    /// What was declared, with the parameters of this query.
    public var declaration: RestDeclaration
    let cell: RestCell<Value>
    let shape: RestShape<Value>

    /// The value now: the latest one, or the initial one.
    public var wrappedValue: Value {
        get { cell.value }
        nonmutating set { cell.value = newValue }
    }

    /// The value as a reference that can be handed on.
    public var projectedValue: RestBinding<Value> {
        RestBinding(get: { [cell] in cell.value }, change: { [cell] in cell.change($0) })
    }

    /// A member of the value.
    public subscript<Subject>(dynamicMember path: KeyPath<Value, Subject>) -> Subject {
        cell.value[keyPath: path]
    }

    /// A member of the value; it is changed in one step, by code that may run more than once.
    public subscript<Subject>(dynamicMember path: WritableKeyPath<Value, Subject>) -> Subject {
        get { cell.value[keyPath: path] }
        nonmutating set { cell.change { $0[keyPath: path] = newValue } }
    }

    /// The value and what is happening to it, now.
    public var state: RestState<Value> { cell.state }

    /// The states from now on, the present one first. A slow reader sees the newest, and not all in between.
    public var states: AsyncStream<RestState<Value>> { cell.states }

    /// The same property with more parameters: where a name stands on both sides, the new value is taken.
    @_disfavoredOverload
    public func with(_ params: QueryItems) -> RestQuery {
        var copy = self
        copy.declaration.params = declaration.params.merging(params)
        return copy
    }

    /// The same property with more parameters, of any printable keys and values.
    public func with<Key: CustomStringConvertible, Param>(_ params: [Key: Param]) -> RestQuery {
        with(QueryItems(params))
    }
}
