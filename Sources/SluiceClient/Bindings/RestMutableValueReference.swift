/// A reference to a value: what a view holds, and somebody else changes.
public class RestValueReference<Value> {
    public fileprivate(set) var value: Value

    public init(value: Value) {
        self.value = value
    }
}

/// A reference to a value that its holder changes, such as the subscription of a view that is a value itself.
public final class RestMutableValueReference<Value>: RestValueReference<Value> {
    public func update(with value: Value) {
        self.value = value
    }
}
