/// A call that has not begun yet.
///
/// It is *cold*: nothing is sent before it is asked for its value, and once for each time. So calls have an order, and
/// ``->>(_:_:)`` keeps it.
public struct RestOperation<Value: Sendable>: Sendable {
    private let run: @Sendable () async throws(CallError) -> Value

    /// An operation that runs a function, once for each time it is asked.
    public init(_ run: @escaping @Sendable () async throws(CallError) -> Value) {
        self.run = run
    }

    /// Makes the call and waits for it.
    @discardableResult
    public func value() async throws(CallError) -> Value {
        try await run()
    }

    /// Makes a call in a task of its own, and reports its success. A failure is in the property's state. To get both,
    /// use ``sink(receiveCompletion:receiveValue:)``: ``failure(received:)`` makes another call.
    @discardableResult
    public func success(received: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        sink(receiveCompletion: { _ in }, receiveValue: { _ in received() })
    }

    /// Makes a call in a task of its own, and tells its failure.
    @discardableResult
    public func failure(received: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        sink(receiveCompletion: { if case .failure = $0 { received() } }, receiveValue: { _ in })
    }

    /// Makes the call in a task of its own, and hands on its value.
    @discardableResult
    public func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> Task<Void, Never> {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }

    /// Makes the call in a task of its own, and hands on its value, then how it ended.
    @discardableResult
    public func sink(
        receiveCompletion: @escaping @Sendable (Result<Void, CallError>) -> Void,
        receiveValue: @escaping @Sendable (Value) -> Void
    ) -> Task<Void, Never> {
        Task {
            do throws(CallError) {
                receiveValue(try await run())
                receiveCompletion(.success(()))
            } catch {
                receiveCompletion(.failure(error))
            }
        }
    }
}
