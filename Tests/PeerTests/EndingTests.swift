import Foundation
import Testing

/// Nothing holds up the daemon's end: no reader of its logs that is stuck, and no event loop.
@Suite struct EndingTests {
    private static func configuration(_ origin: ScriptedOrigin, path: String = "/a", head: String = "") -> String {
        "log: {access: \"-\"}\n\(head)" + LifecycleTests.configuration(origin, path: path)
    }

    @Test func aFullLogPipeStopsNothing() throws {
        let origin = try ScriptedOrigin(answering: LifecycleTests.answer("ok"))
        defer { origin.end() }
        let pipe = FullPipe()
        let gateway = try Daemon(Self.configuration(origin), outputs: pipe)
        defer { gateway.end() }
        for _ in 0..<50 { #expect(try gateway.get("/a").status == 200) }
        // Each reload has lines of its own: of the mistakes, and of what became of it.
        for _ in 0..<20 { try gateway.reload(Self.configuration(origin, path: "/b") + "\nbindigns: {}\n") }
        try gateway.reload(Self.configuration(origin, path: "/b"))
        try Poll.until("the new binding answers", holds: { try gateway.get("/b").status == 200 })
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.waitForExit() == 0)
    }

    /// What waited is written once somebody reads.
    @Test func aPipeThatIsReadAgainIsWritten() throws {
        let origin = try ScriptedOrigin(answering: LifecycleTests.answer("ok"))
        defer { origin.end() }
        let pipe = FullPipe()
        let gateway = try Daemon(Self.configuration(origin), outputs: pipe)
        defer { gateway.end() }
        #expect(try gateway.get("/a").status == 200)
        #expect(try pipe.read(until: "listening on").contains("listening on"))
    }

    /// A loop that stands still, by the hand of a debugger: the process ends without it, and says so.
    @Test(.needsPeers) func aLoopThatDoesNotEnd() throws {
        let origin = try ScriptedOrigin(answering: LifecycleTests.answer("ok"))
        defer { origin.end() }
        let gateway = try Daemon("loops: 1\ndrain: 100ms\n" + LifecycleTests.configuration(origin))
        defer { gateway.end() }
        let debugger = try ThreadStopper(gateway.process.pid, thread: "sluice-loop-0")
        defer { debugger.end() }
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.waitForExit() == 3)
        #expect(gateway.process.errors.contains("event loops did not end in time"))
    }

    @Test(.needsPeers) func aSecondSignalNeedsNoLoop() throws {
        let origin = try ScriptedOrigin(answering: LifecycleTests.answer("ok"))
        defer { origin.end() }
        let gateway = try Daemon("loops: 1\n" + LifecycleTests.configuration(origin))
        defer { gateway.end() }
        let debugger = try ThreadStopper(gateway.process.pid, thread: "sluice-loop-0")
        defer { debugger.end() }
        gateway.process.signal(SIGTERM)
        try Poll.until("it has heard", holds: { gateway.process.errors.contains("draining") })
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.waitForExit() == 1)
    }
}
