import Foundation
import Synchronization
import Testing

/// Many requests on pipelining connections while everything around them changes: each gets one answer, its own.
@Suite(.serialized) struct SoakTests {
    /// Two configurations that are both right; bindings and upstreams move about between them.
    private static func configuration(_ port: UInt16, isSecond: Bool) -> String {
        let settings = isSecond ? ", pool: {queue: 900}" : ""
        var bindings = [
            "GET /typed/{id}: {to: \"origin /{id}\", params: {id: Int}, parent: data.id, value: Int}",
            "GET /object/{id}: {to: \"origin /{id}\", params: {id: Int}, parent: data, value: {id: Int}}",
            "ANY /raw/**: {to: origin /**}",
        ]
        if isSecond {
            bindings.reverse()
            bindings.insert("GET /more/{id}: {to: \"origin /{id}\", params: {id: Int}}", at: 0)
        }
        return "loops: 2\nupstreams:\n  origin: {url: \"http://127.0.0.1:\(port)\"\(settings)}\nbindings:\n"
            + bindings.map { "  \($0)\n" }.joined()
    }

    private struct Request {
        var number: Int
        var kind: Int

        var text: String {
            switch kind {
            case 0: "GET /typed/\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            case 1: "GET /object/\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            case 2: "GET /raw/\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            case 3: "GET /none/\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            case 4: "GET /typed/x\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            default: post
            }
        }

        private var post: String {
            let count = [1, 300, 90_000][number % 3]
            return "POST /raw/\(number) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\r\n"
                + String(repeating: "p", count: count)
        }

        /// Whether `answer` is the one to this request, or says that the origin was away.
        func isAnswered(by answer: HTTPResponse) -> Bool {
            guard answer.isComplete else { return false }
            if [502, 503, 504].contains(answer.status) { return kind != 3 && kind != 4 && isProblem(answer) }
            switch kind {
            case 0: return answer.status == 200 && answer.text == "\(number)"
            case 1: return answer.status == 200 && answer.text == "{\"id\":\(number)}"
            case 3: return answer.status == 404 && isProblem(answer) && answer.text.contains("/none/\(number)'")
            case 4: return answer.status == 400 && isProblem(answer) && answer.text.contains("'x\(number)'")
            default: return answer.status == 200 && answer.text.hasSuffix("\"data\":{\"id\":\(number)}}")
            }
        }

        private func isProblem(_ answer: HTTPResponse) -> Bool {
            answer["Content-Type"] == "application/problem+json"
        }
    }

    /// Sends `count` requests over one connection after the other, several at a time, and looks at each answer.
    /// - Parameter step: told how many requests were sent with each batch.
    private static func send(_ count: Int, from first: Int, to gateway: Daemon, step: (Int) throws -> Void) throws {
        var next = first
        var client = try gateway.client()
        while next < first + count {
            let batch = (next..<min(next + 1 + next % 6, first + count)).map { Request(number: $0, kind: $0 % 7) }
            next += batch.count
            // Large requests fill every buffer on the way: sending and reading have to overlap.
            let connection = client.connection
            let text = batch.map(\.text).joined()
            Thread.detachNewThread { connection.send(text) }
            for request in batch {
                let answer = try client.response()
                if !answer.isComplete, request.kind == 2 || request.kind > 4 {
                    // The origin went away in the middle of what passes through, and that shows (RFC 9112 §8).
                    client = try gateway.client()
                    break
                }
                #expect(request.isAnswered(by: answer), "\(request): \(answer.status) \(answer.text.prefix(200))")
                if answer["Connection"] == "close" {
                    // It has told that what was pipelined behind is not looked at.
                    client = try gateway.client()
                    break
                }
            }
            try step(batch.count)
        }
    }

    @Test func everyRequestGetsItsOwnAnswer() throws {
        let origin = Mutex(try EchoOrigin())
        let port = origin.withLock { $0.port }
        defer { origin.withLock { $0.end() } }
        let gateway = try Daemon(Self.configuration(port, isSecond: false))
        defer { gateway.end() }
        let sent = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 6) { index in
            do {
                try Self.send(1700, from: index * 1_000_000, to: gateway) { count in
                    let (before, after) = sent.withLock { sent in
                        defer { sent += count }
                        return (sent, sent + count)
                    }
                    try origin.withLock { origin in
                        if before / 60 != after / 60 {
                            try gateway.reload(Self.configuration(port, isSecond: after / 60 % 2 == 1))
                        }
                        if before / 1000 != after / 1000 {
                            origin.end()
                            origin = try Poll.until("the origin is back") { try? EchoOrigin(port: port) }
                        }
                    }
                }
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(gateway.process.exitStatus == nil)
        #expect(!gateway.process.errors.contains("stays in force"))
    }

    /// What a request leaves behind shows once there are enough of them.
    @Test func memoryStaysAsItIs() throws {
        let origin = try EchoOrigin()
        defer { origin.end() }
        let gateway = try Daemon(Self.configuration(origin.port, isSecond: false))
        defer { gateway.end() }
        func many(_ count: Int, from first: Int) throws {
            try Self.send(count, from: first, to: gateway) { _ in
                // One that leaves in the middle.
                try gateway.client().send("POST", "/raw/1", fields: ["Content-Length: 9"])
            }
        }
        try many(1500, from: 0)
        let before = try gateway.process.residentBytes
        try many(4500, from: 10_000)
        #expect(try gateway.process.residentBytes - before < 3 << 20)
    }

    /// An answer that is made but not taken yet is in flight too. On a Unix socket, because how much the kernel takes
    /// of it is the same every time.
    @Test func drainingWaitsForWhoeverStillReads() throws {
        let body = String(repeating: "x", count: 400_000)
        let origin = try ScriptedOrigin([
            [.head, .send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"), .halfClose]
        ])
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let socket = folder.file("s")
        let path = try folder.write(
            "listen: [unix:\(socket)]\n" + Self.configuration(origin.port, isSecond: false), to: "sluice.yaml")
        let process = try ChildProcess([Daemon.binary, "serve", "--config", path])
        defer { process.end() }
        let client = HTTPClient(try Poll.until("the socket is there") { try? Connection(unixPath: socket) })
        client.send("GET", "/raw/1")
        // The gateway has it all and has let go of the upstream.
        try Poll.until("the origin is done", holds: { origin.connectionCount == 1 && origin.openConnectionCount == 0 })
        process.signal(SIGTERM)
        try Poll.until("nobody accepts any more", holds: { (try? Connection(unixPath: socket)) == nil })
        #expect(process.exitStatus == nil)
        let response = try client.response()
        #expect(response.isComplete)
        #expect(response.body.count == body.utf8.count)
        #expect(try process.waitForExit() == 0)
    }
}
