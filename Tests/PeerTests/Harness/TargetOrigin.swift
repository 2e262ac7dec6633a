import Synchronization

/// An origin whose answer follows from the target alone, so that every stored answer can be checked to the byte; it may
/// be kept for an hour. Anything but a GET is a 204. It counts what it is asked.
final class TargetOrigin: Sendable {
    private let crowd: OriginCrowd
    private let counts = Mutex<[String: Int]>([:])

    init() throws {
        crowd = try OriginCrowd(backlog: 512)
        crowd.serve { [self] in answer(on: $0) }
    }

    func end() { crowd.end() }

    var port: UInt16 { crowd.port }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Requests for `target`, by whatever method.
    func count(_ target: String) -> Int { counts.withLock { $0[target] ?? 0 } }

    var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Up to 40 KB, which no other target has.
    static func body(_ target: String) -> String {
        let seed = target.utf8.reduce(5381) { ($0 &* 33 &+ Int($1)) & 0xffff_ffff }
        return String(repeating: "\(target) \(seed)\n", count: 1 + seed % 1000)
    }

    private func answer(on connection: Connection) {
        var unread: [UInt8] = []
        while case .bytes(let bytes) = connection.receive() {
            unread += bytes
            while let end = unread.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                let words = String(decoding: unread[..<end], as: UTF8.self).split(separator: " ", maxSplits: 2)
                unread.removeFirst(end)
                let target = String(words[1])
                counts.withLock { $0[target, default: 0] += 1 }
                guard words[0] == "GET" else {
                    connection.send("HTTP/1.1 204 No Content\r\n\r\n")
                    continue
                }
                let body = Self.body(target)
                connection.send(
                    "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                        + body)
            }
        }
    }
}
