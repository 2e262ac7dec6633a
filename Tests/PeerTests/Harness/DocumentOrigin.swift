/// An origin with a document of JSON for each target it knows; anything else is a 404.
final class DocumentOrigin: Sendable {
    private let crowd: OriginCrowd
    private let documents: [String: String]

    init(_ documents: [String: String]) throws {
        self.documents = documents
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
                let words = String(decoding: unread[..<end], as: UTF8.self).split(separator: " ", maxSplits: 2)
                unread.removeFirst(end)
                let body = documents[String(words[1])]
                let status = body == nil ? "404 Not Found" : "200 OK"
                connection.send(
                    "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body?.utf8.count ?? 0)\r\n\r\n\(body ?? "")")
            }
        }
    }
}
