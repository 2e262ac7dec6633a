/// A reference to a value: a view holds it, and other code changes the value.
public class RestValueReference<Value> {
    /// The value now.
    public fileprivate(set) var value: Value

    /// A reference to a value.
    public init(value: Value) {
        self.value = value
    }
}

/// A reference to a value that its holder changes, such as the subscription of a view that is a value itself.
public final class RestMutableValueReference<Value>: RestValueReference<Value> {
    /// Puts a value in the place of the present one. It is for one thread at a time.
    public func update(with value: Value) {
        self.value = value
    }
}
