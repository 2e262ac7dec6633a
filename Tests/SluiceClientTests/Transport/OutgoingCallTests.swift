import SluiceHTTP
import Testing

@testable import SluiceClient

/// How a request is written, and which ones are not.
@Suite struct OutgoingCallTests {
    private static func head(_ request: CallRequest, to address: String = "http://localhost:8080") throws -> String {
        var outbox = Outbox()
        try OutgoingCall(request, to: GatewayAddress(address)).writeHead(into: &outbox)
        return String(decoding: outbox.firstRun, as: UTF8.self)
    }

    @Test(arguments: [
        ("GET", CallBody.none, ""), ("DELETE", .none, ""), ("POST", .none, "Content-Length: 0\r\n"),
        ("PUT", .none, "Content-Length: 0\r\n"), ("PATCH", .none, "Content-Length: 0\r\n"),
        ("POST", .bytes([1, 2]), "Content-Length: 2\r\n"), ("GET", .bytes([]), "Content-Length: 0\r\n"),
        ("QUERY", .stream(length: 7, AnswerBody([])), "Content-Length: 7\r\n"),
        ("POST", .stream(length: nil, AnswerBody([])), "Transfer-Encoding: chunked\r\n"),
    ])
    func framing(_ method: String, _ body: CallBody, _ line: String) throws {
        let head = try Self.head(CallRequest(method, "/a?b=c", body: body))
        #expect(head == "\(method) /a?b=c HTTP/1.1\r\nHost: localhost:8080\r\n\(line)\r\n")
    }

    @Test func fieldsKeepTheirOrderAndTheBaseStandsFirst() throws {
        let fields = [CallField("B", "1"), CallField("a", ""), CallField("B", "2")]
        let head = try Self.head(CallRequest("/c", fields: fields), to: "http://[::1]:1/base/")
        #expect(head == "GET /base/c HTTP/1.1\r\nHost: [::1]:1\r\nB: 1\r\na: \r\nB: 2\r\n\r\n")
    }

    @Test(arguments: [
        (CallRequest("G T", "/"), "no method"), (CallRequest("", "/"), "no method"),
        (CallRequest("CONNECT", "/"), "not for gateways"), (CallRequest("TRACE", "/"), "not for gateways"),
        (CallRequest("a"), "no path and query"), (CallRequest("/a b"), "no path and query"),
        (CallRequest("/a\r\nX: y"), "no path and query"), (CallRequest("/%"), "no path and query"),
        (CallRequest("/", fields: [CallField("a b", "c")]), "no name of a field"),
        (CallRequest("/", fields: [CallField("a", "b\r\nc: d")]), "control character"),
        (CallRequest("/", fields: [CallField("content-length", "3")]), "leave it out"),
        (CallRequest("/", fields: [CallField("Transfer-Encoding", "chunked")]), "leave it out"),
        (CallRequest("/", fields: [CallField("Host", "x")]), "leave it out"),
        (CallRequest("/", fields: [CallField("Connection", "close")]), "leave it out"),
        (CallRequest("POST", "/", body: .stream(length: -1, AnswerBody([]))), "negative"),
    ])
    func whatIsNotSent(_ request: CallRequest, _ reason: String) throws {
        let error = #expect(throws: TransportError.self) { try Self.head(request) }
        #expect(error?.description.contains(reason) == true)
    }

    /// The value may be a secret.
    @Test func aComplaintDoesNotShowTheValue() throws {
        let request = CallRequest("/", fields: [CallField("Authorization", "Bearer s3cret\n")])
        let error = #expect(throws: TransportError.self) { try Self.head(request) }
        #expect(error?.description.contains("s3cret") == false)
    }
}
