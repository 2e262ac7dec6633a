import TestBytes
import Testing

@testable import SluiceHTTP

/// A connection between and after responses: what may be used again, and what may be replayed.
@Suite struct HTTP1ClientMachineReuseTests {
    /// Bytes behind the end can be the start of somebody else's answer (RFC 9112 §6.3, §11.1): they are no part of this
    /// one, however they come, and nothing else is read from the connection.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok", SluiceHTTP.Method.get),
        ("HTTP/1.1 204 N\r\n\r\n", "", .get),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", "", .head),
        ("HTTP/1.1 304 N\r\nContent-Length: 1\r\n\r\n", "", .get),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\n\r\n", .get),
    ])
    func surplus(_ head: String, _ content: String, _ method: SluiceHTTP.Method) {
        let whole = ClientTranscript(head + content, to: method)
        for extra in ["x", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"] {
            let input = head + content + extra
            let ended = whole.lines.map { $0 == "end reusable" ? "end" : $0 }
            #expect(ClientTranscript(input, to: method).lines == ended + ["closed"])
            for pieces in Cuts.all(Array(input.utf8)) {
                let cut = ClientTranscript(pieces, to: method)
                let lines = cut.lines.filter { $0 != "closed" }
                #expect(lines == ended || lines == whole.lines, "\(cut)")
                #expect(cut.lines.last == "closed", "\(cut)")
            }
        }
    }

    @Test func surplusIsTold() {
        var client = Client()
        client.machine.requestSent(method: .get)
        #expect(
            client.feed("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab")
                == ["response", "body a", "end", "closedIdle"])
        let hasSurplus = client.machine.hasSurplus
        #expect(hasSurplus)
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
