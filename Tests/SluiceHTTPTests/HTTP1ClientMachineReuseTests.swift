import Testing

@testable import SluiceHTTP

/// A connection between and after responses: what may be used again, and what may be replayed.
@Suite struct HTTP1ClientMachineReuseTests {
    /// Bytes behind the end can be the start of somebody else's answer (RFC 9112 §6.3, §11.1). In one piece with the
    /// end they make the response malformed; before the head is passed on, where its end is known by then.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n", SluiceHTTP.Method.get, false),
        ("HTTP/1.1 204 N\r\n\r\nx", .get, false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", .head, false),
        ("HTTP/1.1 304 N\r\nContent-Length: 1\r\n\r\nx", .get, false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nx", .get, true),
    ])
    func surplus(_ input: String, _ method: SluiceHTTP.Method, _ isTooLateForHead: Bool) {
        let transcript = ClientTranscript(input, to: method)
        #expect(transcript.isMalformed)
        #expect(transcript.lines.contains { $0.hasPrefix("response") } == isTooLateForHead)
        for pieces in Cuts.all(Array(input.utf8)) {
            let cut = ClientTranscript(pieces, to: method)
            #expect(cut.isMalformed || cut.lines.last == "closed", "\(cut)")
        }
    }

    @Test func serialReuse() {
        var client = Client()
        for round in 1...3 {
            client.machine.requestSent(method: .get)
            let before = (client.machine.hasReceivedFirstByte, client.machine.isIdle)
            #expect(before == (false, false))
            let events = client.feed("HTTP/1.1 20\(round) OK\r\nContent-Length: 0\r\n\r\n")
            #expect(events == ["response", "end reusable", "needMore"])
            let after = (client.machine.hasReceivedFirstByte, client.machine.isIdle, client.head.status)
            #expect(after == (true, true, 200 + round))
        }
    }

    @Test func idleConnectionCloses() {
        var client = Client()
        #expect(client.drain() == ["needMore"])
        client.machine.inputClosed()
        let isIdle = client.machine.isIdle
        #expect(!isIdle)
        #expect(client.drain() == ["closedIdle"])
    }

    @Test func unaskedBytesOnIdleConnection() {
        var client = Client()
        #expect(client.feed("HTTP/1.1 408 Request Timeout\r\n\r\n") == ["closedIdle"])
        let isIdle = client.machine.isIdle
        #expect(!isIdle)
    }

    /// Bytes that came before the request are never taken for its response.
    @Test func unaskedBytesBeforeRequest() {
        var client = Client()
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".withBytes { bytes in
            client.machine.feed(bytes)
            client.machine.requestSent(method: .get)
            #expect(client.drain() == ["malformed", "closedIdle"])
        }
    }

    /// A reused connection that had been closed may be replaced without a word (RFC 9112 §9.3.1).
    @Test func closedBeforeFirstByte() {
        var client = Client()
        client.machine.requestSent(method: .get)
        client.machine.inputClosed()
        #expect(client.drain() == ["truncated before first byte"])
    }

    /// Content that ends with the connection is not whole if the connection was cut (RFC 9112 §8, §9.8).
    @Test func cutWhileReadingUntilClose() {
        var client = Client()
        client.machine.requestSent(method: .get)
        #expect(client.feed("HTTP/1.1 200 OK\r\n\r\n") == ["response", "needMore"])
        client.machine.inputClosed(isTruncated: true)
        #expect(client.drain() == ["truncated"])
    }

    @Test(arguments: [("timeout=5, max=100", 5), ("max=1,Timeout=0", 0), ("timeout=x", nil), ("timeout", nil)])
    func keepAliveSeconds(_ value: String, _ seconds: Int?) {
        var client = Client()
        client.machine.requestSent(method: .get)
        #expect(
            client.feed("HTTP/1.1 204 N\r\nKeep-Alive: \(value)\r\n\r\n") == ["response", "end reusable", "needMore"])
        let found = client.head.keepAliveSeconds
        #expect(found == seconds)
    }
}
