import Testing

@testable import SluiceHTTP

/// What happens around requests: pipelining, answers before the request has ended, tunnels, memory.
@Suite struct HTTP1ServerMachineFlowTests {
    private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let upload = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"

    /// RFC 9112 §9.3.2.
    @Test func pipelinedRequestWaits() {
        var server = Server()
        #expect(server.feed(Self.request + Self.request) == ["request", "end", "paused"])
        let carried = server.machine.carriedBytes
        #expect(carried == Self.request.utf8.count)
        server.machine.responseCompleted()
        #expect(server.drain() == ["request", "end", "needMore"])
        server.machine.responseCompleted()
        server.machine.settle()
        let after = (server.machine.carriedBytes, server.machine.isIdle)
        #expect(after == (0, true))
    }

    /// A client that half-closes behind its request still gets its answer.
    @Test func halfClose() {
        var server = Server()
        #expect(server.feed(Self.request) == ["request", "end", "needMore"])
        server.machine.inputClosed()
        #expect(server.drain() == ["needMore"])
        server.machine.responseCompleted()
        #expect(server.drain() == ["closed"])
    }

    /// RFC 9112 §9.3: the next request follows the content of this one, wanted or not.
    @Test func answeredBeforeContentEnds() {
        var server = Server()
        #expect(server.feed(Self.upload + "ab") == ["request", "body ab", "needMore"])
        server.machine.responseCompleted()
        let isIdle = server.machine.isIdle
        #expect(!isIdle)
        #expect(server.feed("cd" + Self.request) == ["body cd", "end", "request", "end", "needMore"])
    }

    @Test func withoutKeepAliveTheRestIsDropped() {
        var server = Server()
        #expect(server.feed("GET / HTTP/1.0\r\n\r\n" + Self.request) == ["request", "end", "needMore"])
        let carried = server.machine.carriedBytes
        #expect(carried == 0)
        server.machine.responseCompleted()
        #expect(server.drain() == ["closed"])
        #expect(server.feed(Self.request) == ["closed"])
    }

    @Test func nothingFollowsRefusal() {
        var server = Server()
        #expect(server.feed("G@T / HTTP/1.1\r\n\r\n" + Self.request) == ["refused 400", "closed"])
        #expect(server.feed(Self.request) == ["closed"])
    }

    /// RFC 9110 §7.8: what follows the switch is not HTTP/1.1.
    @Test func tunnel() {
        var server = Server()
        let head = "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
        #expect(server.feed(head + "\u{1}a") == ["request", "end", "paused"])
        server.machine.becomeTunnel()
        #expect(server.drain() == ["body \u{1}a", "needMore"])
        #expect(server.feed("b") == ["body b", "needMore"])
        server.machine.inputClosed()
        #expect(server.drain() == ["end", "closed"])
    }

    /// A head that was not kept between two pieces is read again from its start.
    @Test func anotherHeadInBetween() {
        var server = Server()
        #expect(server.feed("GET /x HTTP/1.1\r\nA: b\r\nHo") == ["needMore"])
        server.head.releaseMemory()
        #expect(server.feed("st: a\r\n\r\n") == ["request", "end", "needMore"])
        let lines = server.head.fields.lines
        #expect(lines == ["A: b", "Host: a"])
        let path = String(server.head.path)
        #expect(path == "/x")
    }

    @Test func trailersOfOneRequestAreNotThoseOfTheNext() {
        var server = Server()
        let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: u\r\n\r\n"
        #expect(server.feed(chunked) == ["request", "end", "needMore"])
        var trailers = server.trailers.lines
        #expect(trailers == ["T: u"])
        server.machine.responseCompleted()
        #expect(server.feed(Self.request) == ["request", "end", "needMore"])
        trailers = server.trailers.lines
        #expect(trailers == [])
    }

    /// What cannot be read yet is copied once and given back.
    @Test func contentWaitsForItsReader() {
        var server = Server()
        (Self.upload + "abcd" + Self.request).withBytes { bytes in
            server.machine.feed(bytes)
            #expect(server.next() == "request")
            server.machine.settle()
        }
        let carried = server.machine.carriedBytes
        #expect(carried == 4 + Self.request.utf8.count)
        #expect(server.drain() == ["body abcd", "end", "paused"])
        server.machine.responseCompleted()
        #expect(server.drain() == ["request", "end", "needMore"])
        server.machine.settle()
        let after = server.machine.carriedBytes
        #expect(after == 0)
    }
}
