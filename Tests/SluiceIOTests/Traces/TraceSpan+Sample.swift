@testable import SluiceGateway

extension TraceSpan {
    static let sample = TraceSpan(
        trace: TraceID(high: 1, low: 2), id: SpanID(3), parent: nil, isParentRemote: false, flags: 3, state: "",
        name: "GET", kind: .server, startedAt: 1, endedAt: 2, attributes: [], events: [], status: .unset)
}
