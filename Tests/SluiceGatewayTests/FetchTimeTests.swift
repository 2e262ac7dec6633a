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
}
