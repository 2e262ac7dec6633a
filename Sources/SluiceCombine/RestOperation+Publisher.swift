#if Combine
    public import OpenCombine
    public import SluiceClient

    /// `$fruit>?`, `$account<!` and `$account <- new` are publishers where nobody waits for them.
    ///
    /// They are *cold*: nothing is sent before a subscriber demands something, each subscriber has a call of its own,
    /// and one that cancels ends its call, down to the upstream. `a ->> b` begins b when a has succeeded.
    extension RestOperation: Publisher {
        public typealias Output = Value
        public typealias Failure = CallError

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Value, Downstream.Failure == CallError {
            subscriber.receive(
                subscription: PullSubscription(subscriber) { target in
                    { () async throws(CallError) in target.emit(try await self.value()) }
                })
        }
    }
#endif
