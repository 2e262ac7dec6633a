/// A plain HTTP/1.1 client: what is sent is what the test says, byte for byte; what comes back is read strictly.
final class HTTPClient {
    let connection: Connection
    private var buffer: [UInt8] = []
    /// How reading came to its end; nil while it goes on.
    private var ended: Connection.Received?

    init(_ connection: Connection) {
        self.connection = connection
    }

    convenience init(port: UInt16) throws {
        self.init(try Connection(port: port))
    }

    /// Sends a request and reads its answer.
    func request(
        _ method: String, _ target: String, fields: [String] = [], body: String? = nil
    ) throws -> HTTPResponse {
        send(method, target, fields: fields, body: body)
        return try response(to: method)
    }

    func get(_ target: String, fields: [String] = []) throws -> HTTPResponse {
        try request("GET", target, fields: fields)
    }

    /// Sends a request without waiting.
    func send(_ method: String, _ target: String, fields: [String] = [], body: String? = nil) {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    /// Reads one answer, and the interim ones before it.
    /// - Returns: what came; `isComplete` tells whether that was all of it.
    func response(to method: String = "GET") throws -> HTTPResponse {
        var interim: [HTTPResponse] = []
        while true {
            var response = try head()
            if response.status < 200 && response.status != 101 {
                response.isComplete = true
                interim.append(response)
                continue
            }
            response.interim = interim
            response.framing = try HTTPResponse.Framing(of: response, to: method)
            readBody(of: &response)
            return response
        }
    }

    /// Reads the head of the next answer alone.
    func head() throws -> HTTPResponse {
        guard let line = line() else { throw HarnessError("\(endText) in place of an answer") }
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let status = Int(parts[1]) else { throw HarnessError("status line '\(line)'") }
        let fields = try fieldLines()
        return HTTPResponse(version: String(parts[0]), status: status, reason: String(parts[2]), fields: fields)
    }

    /// Everything up to the orderly end of the connection.
    func rest() throws -> String {
        while fill() {}
        guard ended == .end else { throw HarnessError("\(endText) in place of an orderly end") }
        return String(decoding: take(buffer.count), as: UTF8.self)
    }

    /// Whether the peer has closed and nothing is left to read.
    func isEnded() -> Bool {
        buffer.isEmpty && !fill()
    }

    private func readBody(of response: inout HTTPResponse) {
        switch response.framing {
        case .none:
            response.isComplete = true
        case .length(let count):
            while buffer.count < count, fill() {}
            response.isComplete = buffer.count >= count
            response.body = take(min(count, buffer.count))
        case .close:
            while fill() {}
            // Without a length, only an orderly end can be taken for the end of the body.
            response.isComplete = ended == .end
            response.body = take(buffer.count)
        case .chunked:
            readChunks(of: &response)
        }
    }

    /// RFC 9112 §7.1.
    private func readChunks(of response: inout HTTPResponse) {
        while let line = line(), let size = Int(line.prefix(while: { $0 != ";" }), radix: 16) {
            if size == 0 {
                guard let trailers = try? fieldLines() else { return }
                response.trailers = trailers
                response.isComplete = true
                return
            }
            while buffer.count < size + 2, fill() {}
            response.body += take(min(size, buffer.count))
            guard take(min(2, buffer.count)) == [0x0d, 0x0a] else { return }
        }
    }

    private func fieldLines() throws -> [HTTPResponse.Field] {
        var fields: [HTTPResponse.Field] = []
        while true {
            guard let line = line() else { throw HarnessError("\(endText) in a head") }
            if line.isEmpty { return fields }
            guard let colon = line.firstIndex(of: ":") else { throw HarnessError("field line '\(line)'") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields.append(HTTPResponse.Field(name: String(line[..<colon]), value: String(value)))
        }
    }

    /// The next line without its CRLF; nil where the connection ended first.
    private func line() -> String? {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0a) {
                let line = take(end + 1)
                guard line.count >= 2, line[end - 1] == 0x0d else { return nil }
                return String(decoding: line.dropLast(2), as: UTF8.self)
            }
            searched = buffer.count
            guard fill() else { return nil }
        }
    }

    private func take(_ count: Int) -> [UInt8] {
        let taken = Array(buffer.prefix(count))
        buffer.removeFirst(count)
        return taken
    }

    /// Reads some more; false at the end, however it came.
    private func fill() -> Bool {
        guard ended == nil else { return false }
        let received = connection.receive()
        guard case .bytes(let bytes) = received else {
            ended = received
            return false
        }
        buffer += bytes
        return true
    }

    private var endText: String {
        switch ended {
        case .end: "the connection ended"
        case .reset: "the connection was reset"
        case .nothing: "nothing came within \(Patience.seconds) s"
        case .bytes, nil: "a line without CRLF came"
        }
    }
}
