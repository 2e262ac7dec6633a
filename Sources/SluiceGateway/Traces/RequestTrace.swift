internal import SluiceHTTP

/// The place of one request in a trace. A struct, so that unsampled requests need no memory for it.
struct RequestTrace {
    let id: TraceID
    /// The parent span that the client named; nil where the trace begins here.
    let parent: SpanID?
    /// The span of the request itself, the parent of its attempts' spans.
    let span: SpanID
    let flags: TraceParent.Flags
    /// Whether the client's `tracestate` goes upstream.
    let passesState: Bool
    /// The span of the attempt whose head is being written.
    var attempt = SpanID(0)

    var isSampled: Bool { flags.contains(.sampled) }

    /// The value that the upstream is sent.
    var sent: TraceParent { TraceParent(trace: id, parent: attempt, flags: flags) }

    /// Writes the field; §3.2.1 demands its name in lower case.
    func writeLine(into out: inout Outbox) {
        out.append("traceparent: ")
        out.append(upTo: TraceParent.byteCount) { line in
            sent.write(into: line)
            return TraceParent.byteCount
        }
        out.append("\r\n")
    }
}
