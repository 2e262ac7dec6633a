/// An origin that answers every request with the number at the end of its path, so that an answer shows whose it is.
final class EchoOrigin: Sendable {
    private let crowd: OriginCrowd

    /// - Parameter port: where an origin before this one was; 0 lets the kernel choose.
    init(port: UInt16 = 0) throws {
        crowd = try OriginCrowd(port: port)
        crowd.serve(Self.answer)
    }

    var port: UInt16 { crowd.port }

    /// Ends the listener and every connection, in the middle of whatever they do.
    func end() { crowd.end() }

    private static func answer(on connection: Connection) {
        var unread: [UInt8] = []
        while case .bytes(let bytes) = connection.receive() {
            unread += bytes
            while let (path, body, count) = request(in: unread) {
                unread.removeFirst(count)
                let number = path.split(separator: "/").last ?? "none"
                let answer = "{\"padding\":\"\(body)\",\"data\":{\"id\":\(number)}}"
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(answer.utf8.count)\r\n\r\n"
                connection.send(head + answer)
            }
        }
    }

    /// The first request in `bytes`, its body, and how long both are; nil where it is not whole.
    private static func request(in bytes: [UInt8]) -> (path: Substring, body: String, count: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        let field = lines.first { $0.lowercased().hasPrefix("content-length:") }
        let length = field.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
        guard bytes.count >= end + length else { return nil }
        guard let path = lines[0].split(separator: " ").dropFirst().first else { return nil }
        return (path, String(decoding: bytes[end..<(end + length)], as: UTF8.self), end + length)
    }
}
