internal import SluiceContract

/// A time by which something has to be done.
enum TimeLimit {
    /// Runs something, and gives it up when its time is over.
    ///
    /// - Parameter wait: what is being waited for when the time is over.
    /// - Throws: ``TransportError/timeout(_:)``, or what `body` throws.
    static func run<Result: Sendable>(
        _ limit: Duration, for wait: @escaping @Sendable () -> TransportWait,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask(operation: body)
            group.addTask {
                // A sleep for a duration traps where that has more nanoseconds than a number holds.
                try await Task.sleep(nanoseconds: limit.nanosecondsClamped)
                throw TransportError.timeout(wait())
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
