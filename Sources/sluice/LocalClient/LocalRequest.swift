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

    /// `Name: value`; nil without a colon.
    static func field(_ text: String) -> (name: String, value: String)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " }))
    }

    /// Whether name and value contain nothing that could end their line (RFC 9110 §5.5, §5.6.2).
    static func isValid(_ field: (name: String, value: String)) -> Bool {
        Array(field.name.utf8).withUnsafeBytes { !$0.isEmpty && FieldValue.isToken($0) }
            && Array(field.value.utf8).withUnsafeBytes { FieldValue.isValid($0) }
    }
}
