/// A reference to a value that is kept elsewhere, or to a part of it: what a form in a user interface edits.
@dynamicMemberLookup
public struct RestBinding<Value: Sendable>: Sendable {
    private let get: @Sendable () -> Value
    private let set: @Sendable (Value) -> Void

    public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
        self.get = get
        self.set = set
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// A reference to a part of the value.
    public subscript<Subject: Sendable>(
        dynamicMember path: WritableKeyPath<Value, Subject> & Sendable
    ) -> RestBinding<Subject> {
        RestBinding<Subject>(
            get: { get()[keyPath: path] },
            set: { part in
                var whole = get()
                whole[keyPath: path] = part
                set(whole)
            })
    }
}
