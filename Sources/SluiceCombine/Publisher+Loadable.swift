#if Combine
    public import OpenCombine
    public import SluiceClient

    extension Publisher where Output: Sendable {
        /// Something that loads by subscribing: the latest element is its content, a failure its error. Loading again
        /// subscribes again.
        public func loadable() -> LoadableSequence<Output> {
            let subscribing = Shared(value: { elements })
            return LoadableSequence { subscribing.value() }
        }

        /// All elements, to the end or the failure. Its iterator's end cancels the subscription.
        private var elements: AsyncThrowingStream<Output, any Error> {
            AsyncThrowingStream { continuation in
                let subscription = sink(
                    receiveCompletion: { completion in
                        switch completion {
                        case .finished: continuation.finish()
                        case .failure(let error): continuation.finish(throwing: error)
                        }
                    },
                    receiveValue: { continuation.yield($0) })
                let shared = Shared(value: subscription)
                continuation.onTermination = { _ in shared.value.cancel() }
            }
        }
    }

    /// A thing of OpenCombine that may be used from any thread, as its documentation says and no conformance does.
    private struct Shared<Value>: @unchecked Sendable {
        let value: Value
    }
#endif
