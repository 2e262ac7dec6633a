import Testing

@testable import SluiceHTTP

@Suite struct HTTP1WriterTests {
    private static func text(_ write: (inout Outbox) -> Void) -> String {
        var outbox = Outbox()
        write(&outbox)
        return outbox.text
    }

    @Test func fields() {
        let text = Self.text { outbox in
            HTTP1Writer.field(.host, "a", into: &outbox)
            HTTP1Writer.field(.contentLength, decimal: 0, into: &outbox)
            HTTP1Writer.endOfHead(into: &outbox)
        }
        #expect(text == "Host: a\r\nContent-Length: 0\r\n\r\n")
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

    /// Fields are written the same whether they stand in the block as they came or were put there one by one.
    @Test(arguments: [
        ("A: 1\r\nB: 2\r\nC: 3", "", "A: 1\r\nB: 2\r\nC: 3\r\n"),
        ("A:1\r\nB: 2\t\r\nC:\t3", "", "A: 1\r\nB: 2\r\nC: 3\r\n"),
        ("A: 1\r\nB: 2\r\nC: 3", "B", "A: 1\r\nC: 3\r\n"), ("A: 1\r\nB: 2\r\nC: 3", "ABC", ""),
        ("A:\r\nB: \r\nC:  ", "", "A: \r\nB: \r\nC: \r\n"),
    ])
    func parsedFields(_ lines: String, _ marked: String, _ written: String) {
        var client = Client()
        client.machine.requestSent(method: .head)
        _ = client.feed("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n")
        client.head.fields.append(.via, "1.1 x")
        for index in 0..<client.head.fields.count where marked.contains(String(client.head.fields.name(index))) {
            client.head.fields.mark(index)
        }
        let text = Self.text { HTTP1Writer.fields(client.head.fields, into: &$0) }
        #expect(text == written + "Via: 1.1 x\r\n")
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
