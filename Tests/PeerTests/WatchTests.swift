import Foundation
import Synchronization
import Testing

/// A binding that is watched, by curl as people do it and by `sluice watch`.
@Suite struct WatchTests {
    /// An origin with one number, which each POST makes greater.
    private final class Counter: Sendable {
        private let crowd: OriginCrowd
        private let value = Atomic(1)

        init() throws {
            crowd = try OriginCrowd()
            crowd.serve { [self] in answer(on: $0) }
        }

        func end() { crowd.end() }

        var url: String { "http://127.0.0.1:\(crowd.port)" }

        private func answer(on connection: Connection) {
            var unread: [UInt8] = []
            while case .bytes(let bytes) = connection.receive() {
                unread += bytes
                while let end = unread.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                    if unread.starts(with: Array("POST".utf8)) { value.add(1, ordering: .relaxed) }
                    unread.removeFirst(end)
                    let body = #"{"n": \#(value.load(ordering: .relaxed))}"#
                    let fields = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                    connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)")
                }
            }
        }
    }

    private static func page(_ origin: String) -> String {
        """
        upstreams:
          api: {url: "\(origin)"}
        bindings:
          GET /number: {to: api /number, value: {n: Int}, watch: {every: 1h}}
          POST /number: {to: api /number}
        """
    }

    private func serve(_ body: (Daemon) throws -> Void) throws {
        let origin = try Counter()
        defer { origin.end() }
        let gateway = try Daemon(Self.page(origin.url))
        defer { gateway.end() }
        try body(gateway)
    }

    private func change(_ gateway: Daemon) throws {
        let curl = try ChildProcess(
            ["/usr/bin/curl", "-sS", "-X", "POST", "http://127.0.0.1:\(gateway.port)/number"])
        #expect(try curl.waitForExit() == 0)
    }

    @Test(arguments: ["--http1.1", "--http2-prior-knowledge"])
    func curlIsToldOfAWrite(_ version: String) throws {
        try serve { gateway in
            let address = "http://127.0.0.1:\(gateway.port)/number"
            let curl = try ChildProcess(
                ["/usr/bin/curl", "-sSN", version, "-H", "Accept: text/event-stream", address])
            defer { curl.end() }
            try Poll.until("the value is told", holds: { curl.output.contains(#"data: {"n": 1}"#) })
            try change(gateway)
            try Poll.until("the change is told", holds: { curl.output.contains(#"data: {"n": 2}"#) })
            // The stream ends as an answer ends.
            #expect(gateway.end() == 0)
            #expect(try curl.waitForExit() == 0, "\(curl.errors)")
        }
    }

    /// `EventSource` of Debian's Chromium hears of each change once, in order.
    @Test(.needsPeers) func aBrowserFollows() throws {
        try serve { gateway in
            let folder = try TemporaryFolder()
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("Fixtures/watch/follow.py").path
            let browser = try ChildProcess(
                [
                    try Peers.webSockets(), script, "http://127.0.0.1:\(gateway.port)/number", "--browser",
                    try Peers.chromium(),
                ], environment: ["HOME": folder.path])
            defer { browser.end() }
            // The script has its own limits for each thing that it waits for.
            for _ in 0..<10 where (try? browser.waitForExit()) != nil { break }
            #expect(browser.output == "all is well\n", "\(browser.errors)")
        }
    }

    @Test func theCommandShowsWhatHasChanged() throws {
        try serve { gateway in
            let watch = try ChildProcess([Daemon.binary, "watch", "GET /number", "--config", gateway.file])
            defer { watch.end() }
            try Poll.until("the value is shown", holds: { watch.output.contains(#""n": 1"#) })
            try change(gateway)
            try Poll.until("the change is shown", holds: { watch.output.contains(#"+   "n": 2"#) })
            #expect(watch.output.contains(#"-   "n": 1"#))
        }
    }

    @Test func theCommandTellsWhatIsNotWatched() throws {
        try serve { gateway in
            let watch = try Daemon.run("watch", "POST /number", "--config", gateway.file)
            #expect(watch.exitStatus == 1)
            #expect(watch.errors.contains("watch: true"))
        }
    }
}
