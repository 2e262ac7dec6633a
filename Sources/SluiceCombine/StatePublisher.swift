#if Combine
    public import OpenCombine

    /// The states of something that changes: the present one for each subscriber, then the newest after each change.
    ///
    /// A subscriber that demands slowly misses what lies in between, and holds up nobody.
    public struct StatePublisher<Output: Sendable>: Publisher, Sendable {
        public typealias Failure = Never

        private let states: @Sendable () -> AsyncStream<Output>

        /// - Parameter states: Begins to watch; called for each subscriber, with its first demand.
        public init(_ states: @escaping @Sendable () -> AsyncStream<Output>) {
            self.states = states
        }

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            subscriber.receive(
                subscription: PullSubscription(subscriber) { [states] target in
                    let stream = states()
                    return {
                        var states = stream.makeAsyncIterator()
                        while await target.isDemanded(), let state = await states.next() { target.emit(state) }
                    }
                })
        }
    }
#endif
