internal import SluiceHTTP

/// The place of one request in a trace: a value, so that what is not sampled costs no memory.
struct RequestTrace {
    let id: TraceID
    /// The parent span that the client has named; nil at the beginning of a trace.
    let parent: SpanID?
    /// Of the request itself, which attempts at upstreams are part of.
    let span: SpanID
    let flags: TraceParent.Flags
    /// Whether what the client sent in `tracestate` goes on.
    let passesState: Bool
    /// Of the attempt whose head is written.
    var attempt = SpanID(0)

    var isSampled: Bool { flags.contains(.sampled) }

    /// What the upstream is sent.
    var sent: TraceParent { TraceParent(trace: id, parent: attempt, flags: flags) }

    /// The line that goes out; §3.2.1 wants its name in small letters.
    func writeLine(into out: inout Outbox) {
        out.append("traceparent: ")
        out.append(upTo: TraceParent.byteCount) { line in
            sent.write(into: line)
            return TraceParent.byteCount
        }
        out.append("\r\n")
    }
}
