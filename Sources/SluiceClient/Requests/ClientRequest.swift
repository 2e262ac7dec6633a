/// A request as a type: what it looks like on the wire, and what its answer is read as.
///
/// There are two ways to write one: with property wrappers (``Request`` and its kinds), and with plain properties
/// (``PlainlyWrittenRequest`` and its kinds).
public protocol ClientRequest: Sendable {
    /// What an answer is read as.
    associatedtype Response: Sendable

    /// The call that this request is.
    func call(coding: JSONCoding) throws(CallError) -> Call
    /// Reads an answer, whatever its status; what the response has no place for is thrown.
    func response(from answer: WholeAnswer, coding: JSONCoding) throws(CallError) -> Response
}

extension GatewayClient {
    /// Sends a request and reads its answer as the request's response.
    @discardableResult
    public func send<R: ClientRequest>(_ request: R) async throws(CallError) -> R.Response {
        let answer = try await answer(to: request.call(coding: settings.coding))
        return try request.response(from: answer, coding: settings.coding)
    }
}
