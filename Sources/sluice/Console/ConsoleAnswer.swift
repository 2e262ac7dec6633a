internal import SluiceConsole
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// An answer of the console's server, with the fields that protect the page.
struct ConsoleAnswer {
    var status: Int
    var type: String
    var body: [UInt8]
    var fields: [(name: String, value: String)] = []

    init(_ status: Int, type: String, _ body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    init(_ status: Int, _ value: JSONValue) {
        self.init(status, type: "application/json", Array((value.text + "\n").utf8))
    }

    init(_ problem: Problem) {
        self.init(problem.status, type: "application/problem+json", ProblemText.bytes(problem))
        fields = problem.fields.map { ($0.name, $0.value) }
        if !problem.allow.isEmpty { fields.append(("Allow", problem.allow.joined(separator: ", "))) }
    }

    /// The head of an answer from the admin socket.
    init(_ answer: LocalClient.Answer, _ body: [UInt8] = []) {
        self.init(answer.status, type: answer.contentType ?? "application/octet-stream", body)
        fields = answer.fields.filter { ["allow", "retry-after"].contains($0.name.lowercased()) }
    }

    /// The page loads nothing from elsewhere, and cannot be framed, read by other sites or cached: CSP Level 3, Fetch,
    /// and HTML §7.1.3 (opener policy). A connection has one answer.
    private static let fixedFields: StaticString = """
        Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
        connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
        X-Content-Type-Options: nosniff\r
        Referrer-Policy: no-referrer\r
        Cross-Origin-Opener-Policy: same-origin\r
        Cross-Origin-Resource-Policy: same-origin\r
        Cache-Control: no-store\r
        Connection: close\r

        """

    /// Without the fields for the body's length, and without the end of the head.
    func writeHead(into outbox: inout Outbox) {
        HTTP1Writer.statusLine(status: status, into: &outbox)
        outbox.append(Array("Content-Type: \(type)\r\n".utf8))
        outbox.append(Self.fixedFields)
        for field in fields { outbox.append(Array("\(field.name): \(field.value)\r\n".utf8)) }
    }
}
