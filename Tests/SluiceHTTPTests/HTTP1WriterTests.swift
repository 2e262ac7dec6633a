import Testing

@testable import SluiceHTTP

@Suite struct HTTP1WriterTests {
    private static func text(_ write: (inout Outbox) -> Void) -> String {
        var outbox = Outbox()
        write(&outbox)
        return outbox.text
    }

    @Test func request() {
        let text = Self.text { outbox in
            "GET".withBytes { method in
                "/a?b".withBytes { HTTP1Writer.requestLine(method: method, target: $0, into: &outbox) }
            }
            HTTP1Writer.field(.host, "a", into: &outbox)
            HTTP1Writer.field(.contentLength, decimal: 0, into: &outbox)
            HTTP1Writer.endOfHead(into: &outbox)
        }
        #expect(text == "GET /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
    }

    @Test(arguments: [
        (200, "", "200 OK"), (404, "", "404 Not Found"), (299, "", "299 Success"), (200, "Well", "200 Well"),
    ])
    func statusLine(_ status: Int, _ reason: String, _ line: String) {
        let text = Self.text { outbox in
            reason.withBytes { HTTP1Writer.statusLine(status: status, reason: $0, into: &outbox) }
        }
        #expect(text == "HTTP/1.1 \(line)\r\n")
    }

    @Test func markedFieldsStayBehind() {
        var block = HeaderBlock()
        block.append(.connection, "x")
        block.append(.age, "1")
        block.append(.vary, "*")
        block.mark(0)
        let text = Self.text { outbox in
            HTTP1Writer.fields(block, into: &outbox)
            HTTP1Writer.lastChunk(trailers: block, into: &outbox)
        }
        #expect(text == "Age: 1\r\nVary: *\r\n0\r\nAge: 1\r\nVary: *\r\n\r\n")
    }

    /// What is written is read back by the decoder (RFC 9112 §7.1).
    @Test(arguments: [0, 1, 15, 16, 300, 70_000])
    func chunks(_ count: Int) {
        let content = String(repeating: "x", count: count)
        let text = Self.text { outbox in
            content.withBytes { bytes in
                HTTP1Writer.chunk(bytes, into: &outbox)
                HTTP1Writer.chunkStart(count: 2, into: &outbox)
                outbox.append("yz")
                HTTP1Writer.chunkEnd(into: &outbox)
                HTTP1Writer.chunk(.empty, into: &outbox)
                outbox.settle()
            }
            HTTP1Writer.lastChunk(into: &outbox)
        }
        let transcript = ClientTranscript("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
        #expect(transcript.lines.dropFirst() == ["body " + content + "yz", "end reusable"])
    }
}
