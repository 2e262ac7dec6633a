internal import SluiceContract
internal import SluiceHTTP

extension Exchange {
    /// Does the client want to watch the value, instead of one answer? It says so by preferring an event stream over
    /// all other types (RFC 9110 §12.5.1), as browsers do for an `EventSource`.
    func watch() -> Step {
        guard let route, let plan = route.watch, let keeper = corridor.watchKeeper else { return .enter }
        ownFields.append(.vary, "Accept")
        guard request.purpose == .client, request.head.method == .get,
            AcceptedType.isFirst("text/event-stream", in: request.head.fields)
        else { return .enter }
        guard request.head.framing == .none || request.head.framing == .length(0) else {
            return refused(Problem(.badRequest, detail: "What is watched is asked for without a body."))
        }
        return keeper.watch(self, route, plan).map { refused($0) } ?? .rest
    }
}
