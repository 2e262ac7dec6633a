#if Combine
    public import OpenCombine
    public import SluiceClient

    extension Publisher {
        /// `a ->> b` of any publishers: b's elements when a has finished, and a's failure, without b, when it has failed.
        @_disfavoredOverload
        public static func ->> <Second: Publisher>(
            first: Self, second: Second
        ) -> AnyPublisher<Second.Output, Failure> where Second.Failure == Failure {
            first.ignoreOutput().map { none -> Second.Output in switch none {} }
                .append(second)
                .eraseToAnyPublisher()
        }
    }
#endif
