#if Combine
    public import OpenCombine
    public import SluiceClient

    /// A call for each subscriber: its value and the end, or why there is none.
    public struct CallPublisher<Output: Sendable>: Publisher, Sendable {
        public typealias Failure = CallError

        private let operation: RestOperation<Output>

        public init(_ operation: RestOperation<Output>) {
            self.operation = operation
        }

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == CallError {
            operation.receive(subscriber: subscriber)
        }
    }

    extension GatewayClient {
        /// Sends a request for each subscriber, and publishes what its answer is read as.
        public func send<R: ClientRequest>(_ request: R) -> CallPublisher<R.Response> {
            CallPublisher(RestOperation { () async throws(CallError) in try await self.send(request) })
        }
    }

    extension Protoclient {
        /// Sends a request for each subscriber, and publishes what its answer is read as.
        public func send<R: ClientRequest>(_ request: R) -> CallPublisher<R.Response> {
            gateway.send(request)
        }
    }

    extension Resource {
        /// Sends a request to the resource for each subscriber; what GET has brought stays as it is.
        public func requestPublisher(
            _ method: HTTPMethod, _ content: RequestContent? = nil
        ) -> CallPublisher<WholeAnswer> {
            CallPublisher(RestOperation { () async throws(CallError) in try await self.request(method, content) })
        }

        /// Sends a value as JSON for each subscriber, and publishes what the answer is read as.
        public func requestPublisher<Answer: Decodable & Sendable>(
            _ method: HTTPMethod, _ body: some Encodable & Sendable, as type: Answer.Type
        ) -> CallPublisher<Answer> {
            CallPublisher(
                RestOperation { () async throws(CallError) in try await self.request(method, body, as: Answer.self) })
        }
    }
#endif
