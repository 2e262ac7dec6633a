import Foundation
import SluiceContract
import Testing

/// A daemon that is killed while a refresh token is exchanged.
@Suite(.needsPeers) struct CredentialsCrashTests {
    /// `SLUICE_TEST_KILLS` of them, or so many.
    private static let kills =
        ProcessInfo.processInfo.environment["SLUICE_TEST_KILLS"].flatMap { Int($0) } ?? 20

    /// From the moment that the server hears of a renewal on, through its work, its answer and what is stored of it.
    @Test func nobodyIsSignedOut() throws {
        let bench = try CredentialBench(life: 1)
        defer { bench.end() }
        try bench.signIn(bench.folder.write(bench.page(), to: "sluice.yaml"))
        try bench.server.pause(milliseconds: 20)
        var random = SplitMix(seed: 17)
        for number in 1...Self.kills {
            let gateway = try Self.startAnew(bench, "after \(number - 1) kills")
            defer { gateway.end() }
            let begun = try bench.server.counts().begun
            try Poll.until("a renewal has begun", holds: { try bench.server.counts().begun > begun })
            usleep(UInt32.random(in: 0..<60_000, using: &random))
            gateway.process.signal(SIGKILL)
            #expect(try gateway.process.waitForExit() == -SIGKILL)
        }
        try Self.startAnew(bench, "at the end").end()
        let counts = try bench.server.counts()
        #expect(counts.revoked == 0, "\(counts)")
        // Some were killed before the answer was stored.
        #expect(counts.repeats > 0, "\(counts)")
    }

    /// A daemon that has renewed what the one before it left, and shows that.
    private static func startAnew(_ bench: CredentialBench, _ when: String) throws -> Daemon {
        let serial = try bench.server.counts().serial
        let gateway = try bench.daemon()
        try Poll.until(
            "there is a new token \(when)",
            holds: {
                let answer = try gateway.get("/me")
                if answer.status == 503 { throw HarnessError("\(when): \(answer.text)") }
                return try answer.status == 200 && AuthorizationServer.Me(answer).serial > serial
            })
        return gateway
    }
}

/// The same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
