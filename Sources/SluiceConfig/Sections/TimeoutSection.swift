import SluiceContract

/// `timeout:` of an upstream or binding.
enum TimeoutSection {
    static let section = Section(
        name: "timeout", summary: "How long an upstream is waited for",
        keys: [
            .init(
                "connect", .duration, default: Quantity.text(UpstreamTimeouts().connect),
                "For a connection, TLS included"),
            .init(
                "first-byte", .duration, default: Quantity.text(UpstreamTimeouts().firstByte),
                "From the request's end to the answer's first byte"),
            .init("total", .duration, default: Quantity.text(UpstreamTimeouts().total), "For the whole exchange"),
            .init(
                "idle", .duration, default: "limits.body-timeout; limits.stream-timeout for event streams and tunnels",
                "Silence in an answer that passes through, or in a tunnel"),
        ], bareKey: "total")

    static func read(_ node: SourceNode, _ desk: Desk, into timeout: inout UpstreamTimeouts) {
        Fields.read(node, section, desk) { fields in
            fields.set("connect", &timeout.connect, desk.wait)
            fields.set("first-byte", &timeout.firstByte, desk.wait)
            fields.set("total", &timeout.total, desk.wait)
            fields.set("idle", &timeout.idle, desk.wait)
            // A shorter whole shortens the parts that are said elsewhere.
            if !fields.has("connect") { timeout.connect = min(timeout.connect, timeout.total) }
            if !fields.has("first-byte") { timeout.firstByte = min(timeout.firstByte, timeout.total) }
            for (key, part) in [("connect", timeout.connect), ("first-byte", timeout.firstByte)]
            where part > timeout.total {
                desk.findings.mistake(
                    at: fields.keyPlace(key), "'\(key)' is longer than the whole exchange may take",
                    expected: "at most \(Quantity.text(timeout.total))")
            }
        }
    }
}
