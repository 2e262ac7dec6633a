import SluiceContract
import Testing

@testable import SluiceGateway

/// What bounds the time of a request that is on its way up (`Fetch+Time.swift`).
@Suite struct FetchTimeTests {
    private static func bench(_ edit: (inout Binding) -> Void = { _ in }) throws -> Bench {
        try FetchAttemptsTests.bench(retry: .off, { $0.timeout.total = .seconds(3) }, edit)
    }

    private static func upload(_ bench: Bench, seconds: Int) -> ClientPeer {
        let client = bench.client()
        client.request("PUT /raw/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n")
        for _ in 0..<seconds {
            bench.advance(by: .seconds(1))
            if client.answers.isEmpty { client.send("x") }
        }
        return client
    }

    /// What passes through untouched may be of any size: its client's pace bounds it, and not the time of the answer.
    @Test func anUntouchedBodyTakesItsTime() throws {
        let bench = try Self.bench()
        let client = Self.upload(bench, seconds: 10)
        #expect(client.answers.isEmpty)
        #expect(try bench.forwarded().text == "xxxxxxxxxx")
        try bench.origin().answer(200)
        #expect(client.answers.map(\.status) == [200])
        bench.expectQuiet()
    }

    /// The time of the answer begins where the body ends.
    @Test func whatFollowsTheBodyIsBounded() throws {
        let bench = try Self.bench()
        let client = Self.upload(bench, seconds: 10)
        bench.advance(by: .milliseconds(2900))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(200))
        #expect(client.answers.map(\.status) == [504])
        bench.expectQuiet()
    }

    /// Where the answer is checked, all of it has its time, the body's way up with it.
    @Test func aCheckedAnswerIsBoundedAsAWhole() throws {
        let value = try Build.type("Int")
        let bench = try Self.bench { $0.value = value }
        let client = Self.upload(bench, seconds: 4)
        #expect(client.answers.map(\.status) == [504])
        #expect(try bench.origin().isClosed)
        client.reset()
        bench.expectQuiet()
    }

    /// A body that was here as a whole when its request was sent is not on its way.
    @Test func aBodyThatIsHereIsBounded() throws {
        let bench = try Self.bench()
        let client = FetchAttemptsTests.request(bench, "PUT", body: "xxxxxxxxxx")
        bench.advance(by: .milliseconds(3100))
        #expect(client.answers.map(\.status) == [504])
        bench.expectQuiet()
    }

    // MARK: - The upstream's pace

    /// A client sends `count` bytes, as far as they are read, and the upstream takes nothing but the head.
    private static func stuckUpload(_ bench: Bench, count: Int) throws -> (ClientPeer, OriginPeer) {
        let client = bench.client()
        client.request("PUT /raw/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\r\n")
        let origin = try bench.origin()
        origin.window = 0
        for _ in 0..<(count / 100_000) { client.send([UInt8](repeating: 0x78, count: 100_000)) }
        return (client, origin)
    }

    /// While nobody reads, no client is late: it is the upstream that has to take the body.
    @Test(arguments: [nil, 8]) func anUpstreamThatStopsTakingTheBodyIsGivenUp(idle: Int?) throws {
        let bench = try FetchAttemptsTests.bench(retry: .off) {
            $0.timeout.total = .seconds(3)
            $0.timeout.idle = idle.map { Duration.seconds($0) }
        }
        let (client, origin) = try Self.stuckUpload(bench, count: 1_000_000)
        #expect(client.unreadCount > 0)
        bench.advance(by: .seconds((idle ?? 30) - 1))
        #expect(client.answers.isEmpty && !origin.isClosed)
        bench.advance(by: .seconds(2))
        #expect(client.answers.map(\.status) == [504])
        #expect(client.answers.first?.text.contains("'fruit' has stopped taking the body of the request.") == true)
        #expect(origin.sawReset)
        client.reset()
        bench.expectQuiet()
    }

    /// However little it is: what the upstream takes shows that it is there.
    @Test func anUpstreamThatTakesTheBodySlowlyIsWaitedFor() throws {
        let bench = try Self.bench()
        let (client, origin) = try Self.stuckUpload(bench, count: 1_000_000)
        for _ in 0..<30 {
            bench.advance(by: .seconds(20))
            origin.take(100)
        }
        #expect(client.answers.isEmpty)
        origin.take(.max)
        #expect(origin.requests.first?.bodyCount == 1_000_000)
        origin.answer(200)
        #expect(client.answers.map(\.status) == [200])
        bench.expectQuiet()
    }

    /// The time of an upstream that has room is not that of its client.
    @Test func aSlowClientIsNotTheUpstreamsSilence() throws {
        let bench = try FetchAttemptsTests.bench(retry: .off) { $0.timeout.idle = .milliseconds(100) }
        let client = Self.upload(bench, seconds: 10)
        #expect(client.answers.isEmpty)
        try bench.origin().answer(200)
        #expect(client.answers.map(\.status) == [200])
        bench.expectQuiet()
    }

    /// What is kept of the body goes to another endpoint, and the rest follows.
    @Test(arguments: [1_000_000, 1000]) func anUploadThatIsStuckIsTriedElsewhereWhereItIsKept(bodyMax: Int) throws {
        var retry = RetryPolicy()
        retry.on = [.timeout]
        retry.bodyBytesMax = bodyMax
        let bench = try FetchAttemptsTests.bench(endpoints: 2, retry: retry) {
            $0.timeout.total = .seconds(60)
            $0.timeout.idle = .seconds(4)
        }
        let (client, origin) = try Self.stuckUpload(bench, count: 600_000)
        bench.advance(by: .seconds(6))
        #expect(origin.sawReset)
        guard bodyMax > 600_000 else {
            #expect(client.answers.map(\.status) == [504])
            return #expect(bench.origins.count == 1)
        }
        let other = try bench.origin()
        #expect(other !== origin)
        #expect(other.requests.first?.bodyCount == 600_000)
        other.answer(200)
        #expect(client.answers.map(\.status) == [200])
        bench.expectQuiet()
    }

    /// A body that has begun, and is sent again from its beginning, is not on its way while it waits for a connection.
    @Test func anotherAttemptOfAnUploadIsBoundedWhileItWaits() throws {
        let bench = try FetchAttemptsTests.bench(retry: RetryPolicy()) {
            $0.timeout.total = .seconds(3)
            $0.connectionsMax = 1
        }
        let client = bench.client()
        client.request("PUT /raw/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nxxxxx")
        let first = try bench.origin()
        let other = FetchAttemptsTests.request(bench)
        // The only place goes to the one that has waited for it, whose answer takes its time.
        first.reset()
        let second = try bench.origin()
        #expect(second !== first)
        second.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx")
        bench.advance(by: .milliseconds(2900))
        #expect(client.answers.isEmpty)
        bench.advance(by: .milliseconds(200))
        #expect(client.answers.map(\.status) == [504])
        second.send("x")
        #expect(other.answers.first?.isComplete == true)
        client.reset()
        bench.expectQuiet()
    }
}
