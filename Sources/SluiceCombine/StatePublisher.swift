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
            let subscription = PullSubscription(subscriber) { [states] subscription in
                let stream = states()
                return {
                    var states = stream.makeAsyncIterator()
                    while await subscription.isDemanded(), let state = await states.next() {
                        subscription.emit(state)
                    }
                }
            }
            subscriber.receive(subscription: subscription)
        }
    }
#endif
