import Foundation
import Testing

/// Every limit at both of its ends, as the documentation names them: the daemon starts, and requests of each kind are
/// answered, with what was asked for or with a problem that says what is in the way.
@Suite(.needsPeers) struct LimitEndsTests {
    /// A row of the table of `limits:`.
    struct Limit: CustomTestStringConvertible, Sendable {
        var name: String
        var least: String
        var most: String

        var testDescription: String { name }
    }

    private static let rows: [Substring] = {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/CONFIGURATION.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        let table = text.components(separatedBy: "<!-- keys: limits -->").last?.components(separatedBy: "<!-- end -->")
        return (table?.first ?? "").split(separator: "\n").filter { $0.hasPrefix("| `") }
    }()

    static let limits: [Limit] = rows.compactMap { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count > 3 else { return nil }
        let ends = cells[1].replacing(#/^(size|duration), /#, with: "").components(separatedBy: " to ")
        guard ends.count == 2 else { return nil }
        return Limit(name: cells[0].trimmingCharacters(in: ["`"]), least: ends[0], most: ends[1])
    }

    @Test func allOfThemAreKnown() {
        #expect(Self.limits.count == Self.rows.count && Self.limits.count > 30)
    }

    private static let largeBytes = 100_000

    @Test(arguments: limits, [false, true])
    func theDaemonServes(_ limit: Limit, isMost: Bool) throws {
        let origin = try OriginCrowd()
        origin.serve(Self.answer)
        defer { origin.end() }
        let value = isMost ? limit.most : limit.least
        let gateway = try Daemon(
            """
            loops: 1
            limits: {\(limit.name): \(value)}
            upstreams:
              origin: {url: "http://127.0.0.1:\(origin.port)"}
            bindings:
              GET /typed: {to: origin /typed, parent: data, value: {id: Int}}
              GET /large: {to: origin /large}
              GET /stored: {to: origin /large, cache: {}}
              POST /upload: {to: origin /upload}
            """)
        defer { gateway.end() }
        let folder = try TemporaryFolder()
        // What curl sends at once: it takes no early answer over HTTP/2 while it still sends (curl 7.88).
        for (version, uploadBytes) in [("--http1.1", Self.largeBytes), ("--http2-prior-knowledge", 4000)] {
            let upload = try folder.write(String(repeating: "u", count: uploadBytes), to: "upload")
            for (target, options, count) in [
                ("/typed", [], 8), ("/large", [], Self.largeBytes), ("/stored", [], Self.largeBytes),
                ("/stored", [], Self.largeBytes), ("/upload", ["--data-binary", "@" + upload], 2),
            ] {
                let words = try ask(gateway, target, [version] + options)
                if words[0] == "200" {
                    #expect(words[1] == "\(count)", "\(target)")
                } else {
                    #expect(words[2] == "application/problem+json", "\(target): \(words)")
                    #expect(isMost == false, "\(target): \(words)")
                }
            }
        }
        gateway.process.signal(SIGTERM)
        #expect(try gateway.process.waitForExit() == 0)
    }

    /// Asks until the connection before has made room for this one.
    private func ask(_ gateway: Daemon, _ target: String, _ options: [String]) throws -> [Substring] {
        try Poll.until("\(target) is answered") {
            let curl = try ChildProcess(
                [
                    "/usr/bin/curl", "-sS", "--max-time", "20", "-H", "Expect:", "-o", "/dev/null", "-w",
                    "%{http_code} %{size_download} %{content_type}",
                ] + options + ["http://127.0.0.1:\(gateway.port)\(target)"])
            let status = try curl.waitForExit()
            // 52, 55, 56: closed without an answer; 92: it lost the answer to an upload that it was still sending.
            if [52, 55, 56, 92].contains(status) { return nil }
            #expect(status == 0, "\(target): \(curl.errors)")
            return curl.output.split(separator: " ", omittingEmptySubsequences: false)
        }
    }

    private static func answer(on connection: Connection) {
        var unread: [UInt8] = []
        while case .bytes(let bytes) = connection.receive() {
            unread += bytes
            while let (path, count) = request(in: unread) {
                unread.removeFirst(count)
                let body =
                    switch path {
                    case "/typed": #"{"data":{"id":1}}"#
                    case "/large": String(repeating: "l", count: largeBytes)
                    default: "ok"
                    }
                let type = path == "/typed" ? "application/json" : "text/plain"
                connection.send(
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Type: \(type)\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
    }

    /// The path of the first request in `bytes`, and how long it is; nil where it is not whole.
    private static func request(in bytes: [UInt8]) -> (path: Substring, count: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
        guard bytes.count >= end + length, let path = lines[0].split(separator: " ").dropFirst().first else {
            return nil
        }
        return (path, end + length)
    }
}
