internal import SluiceHTTP

/// A request of the command line to a running daemon, in one piece.
struct LocalRequest {
    var method: String
    var target: String
    /// `Host`, which is `host[:port]` of where it goes.
    var authority: String
    var fields: [(name: String, value: String)] = []
    var body: [UInt8]?

    /// The whole message; the connection ends with the answer.
    func write(into outbox: inout Outbox) {
        outbox.append(Array("\(method) \(target) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n".utf8))
        for field in fields { outbox.append(Array("\(field.name): \(field.value)\r\n".utf8)) }
        if let body { HTTP1Writer.field(.contentLength, decimal: body.count, into: &outbox) }
        HTTP1Writer.endOfHead(into: &outbox)
        if let body { outbox.append(body) }
    }
}
