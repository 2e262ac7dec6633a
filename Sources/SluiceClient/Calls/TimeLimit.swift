/// A time by which something has to be done.
enum TimeLimit {
    /// Runs something, and gives it up when its time is over.
    ///
    /// - Throws: ``TransportError/timeout(_:)``, or what `body` throws.
    static func run<Result: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: limit)
                throw TransportError.timeout(.content)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
