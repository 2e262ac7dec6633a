/// A reference to a value that is kept elsewhere, or to a part of it: what a form in a user interface edits.
@dynamicMemberLookup
public struct RestBinding<Value: Sendable>: Sendable {
    /// Something that is done to a value in its place.
    typealias Change = (inout Value) -> Void

    private let get: @Sendable () -> Value
    private let modify: @Sendable (Change) -> Void

    /// A reference to what two closures read and write. A change is a `get` and then a `set`: of two changes at the
    /// same time one may be lost, unless the closures see to it.
    public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
        self.init(
            get: get,
            change: { change in
                var value = get()
                change(&value)
                set(value)
            })
    }

    init(get: @escaping @Sendable () -> Value, change: @escaping @Sendable (Change) -> Void) {
        self.get = get
        modify = change
    }

    /// The value now; what is written takes its place.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { modify { $0 = newValue } }
    }

    /// Changes the value; of a bound property (``RestQuery/projectedValue``) in one step: of two fields of a form that
    /// are written at the same time, none is lost. `body` may run more than once then.
    public func change(_ body: (inout Value) -> Void) {
        modify(body)
    }

    /// A reference to a part of the value.
    public subscript<Subject: Sendable>(
        dynamicMember path: WritableKeyPath<Value, Subject> & Sendable
    ) -> RestBinding<Subject> {
        RestBinding<Subject>(
            get: { get()[keyPath: path] },
            change: { change in modify { change(&$0[keyPath: path]) } })
    }
}
