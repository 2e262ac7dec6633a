/// What calls go through: a ``GatewayTransport``, or something that stands in for it in a test.
public protocol Transport: Sendable {
    /// Sends a request and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: what is sent; its body may be a stream.
    ///   - timeout: how long it may take until the answer's head is there, and its content where that is taken at once
    ///     (``AnswerBody/bytes(upTo:)``); content that is read as a stream is not held to it.
    /// - Throws: ``TransportError``; `CancellationError` where the task was cancelled; what a streamed body threw.
    func send(_ request: CallRequest, timeout: Duration?) async throws -> CallAnswer
}
