#if Combine
    public import OpenCombine
    import SluiceClient

    extension Publisher {
        /// `a ->> b` of any publishers: b's elements when a has finished; a's failure, and no b, when it has failed.
        @_disfavoredOverload
        public static func ->> <Second: Publisher>(
            first: Self, second: Second
        ) -> AnyPublisher<Second.Output, Failure> where Second.Failure == Failure {
            first.compactMap { _ in nil as Second.Output? }
                .append(second)
                .eraseToAnyPublisher()
        }
    }
#endif
