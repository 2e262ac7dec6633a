import HTTP2Wire
import SluiceContract
import Testing

@testable import SluiceGateway

/// Stored answers over HTTP/2: the same as over HTTP/1.1 (RFC 9111 §4).
@Suite struct HTTP2StreamStoredTests {
    typealias Wire = HTTP2Wire

    private func bench(_ edit: (inout Configuration) -> Void = { _ in }) throws -> Bench {
        try Bench(
            Build.configuration(
                [try Build.binding("ANY /raw/**", to: "fruit /**") { $0.cache = CachePolicy() }], edit))
    }

    /// Fills the cache by a client of HTTP/1.1.
    private func store(_ bench: Bench, _ path: String, _ answer: String) throws {
        try bench.get(path, answer: answer)
        bench.advance(by: .seconds(5))
    }

    @Test func fieldsComeOutAsTheyAreStored() throws {
        let bench = try bench()
        try store(
            bench, "/raw/a",
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nX-One: 1\r\nX-Colons: a: b:c\r\nX-Empty: \r\nX-One: 2\r\n"
                + "Content-Length: 5\r\n\r\napple")
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a")
        let seen = client.answer(1)
        #expect(seen.status == 200)
        #expect(seen.text == "apple")
        #expect(seen.isComplete)
        #expect(seen["x-one"] == "1, 2")
        #expect(seen["x-colons"] == "a: b:c")
        #expect(seen["x-empty"] == "")
        #expect(seen["age"] == "5")
        #expect(seen["cache-status"] == "sluice; hit; ttl=55")
        #expect(seen["content-length"] == "5")
        #expect(seen.fields.allSatisfy { $0.name == $0.name.lowercased() })
        #expect(bench.origins.reduce(0) { $0 + $1.requests.count } == 1)
        bench.expectQuiet()
    }

    @Test func answersWithoutContentEndWithTheirHead() throws {
        let bench = try bench()
        try store(bench, "/raw/a", "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 5\r\n\r\napple")
        try store(bench, "/raw/empty", "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 0\r\n\r\n")
        try store(bench, "/raw/none", "HTTP/1.1 204 No Content\r\nCache-Control: max-age=60\r\n\r\n")
        let client = HTTP2Client(bench)
        client.send(Wire.request(1, "HEAD", "/raw/a"))
        client.get(3, "/raw/empty")
        client.get(5, "/raw/none")
        #expect([1, 3, 5].map { client.answer($0).isComplete } == [true, true, true])
        #expect([1, 3, 5].map { client.answer($0).frames } == [[], [], []])
        #expect([1, 3, 5].map { client.answer($0)["content-length"] } == ["5", "0", nil])
        #expect(client.answer(5).status == 204)
        #expect(bench.origins.reduce(0) { $0 + $1.requests.count } == 3)
        bench.expectQuiet()
    }

    /// A long one waits for the stream's window, like any other.
    @Test func longAnswersWaitForTheWindow() throws {
        let bench = try bench { $0.limits.bufferedBytes = 50_000 }
        let body = String(repeating: "apple ", count: 50_000)
        try store(
            bench, "/raw/a",
            "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
        let client = HTTP2Client(bench)
        client.get(1, "/raw/a")
        #expect(client.answer(1).body.count == 65_535)
        client.send(Wire.windowUpdate(0, 1 << 20), Wire.windowUpdate(1, 1 << 20))
        #expect(client.answer(1).text == body)
        #expect(client.answer(1).isComplete)
        bench.expectQuiet()
    }

    /// An answer that goes past the cache waits for its reader and goes on, too.
    @Test func whatIsNotStoredGoesOnAfterItWasHeld() throws {
        let bench = try bench { $0.limits.bufferedBytes = 10_000 }
        let client = HTTP2Client(bench, preface: Wire.magic + Wire.settings([4: 1000]))
        client.send(Wire.request(1, "POST", "/raw/a"))
        let origin = try bench.origin()
        let body = String(repeating: "b", count: 400_000)
        origin.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
        for _ in 0..<8 { origin.send(String(body.prefix(50_000))) }
        #expect(!origin.link.wantsRead)
        client.send(Wire.windowUpdate(0, 1 << 20), Wire.windowUpdate(1, 1 << 20))
        #expect(client.answer(1).text == body)
        #expect(client.answer(1).isComplete)
        bench.expectQuiet()
    }
}
