import SluiceContract

/// A request with what has to come of it.
struct SimulatedRequest {
    let id: Int
    let kind: Kind
    let method: String
    let upstream: String
    /// What the client writes.
    let wire: [UInt8]
    /// The same for HTTP/2: path and fields, content, and whether its length is announced.
    let path: String
    private(set) var fields: [(name: String, value: String)] = []
    let content: [UInt8]
    let isLengthKnown: Bool
    /// What the origin reads as content.
    let forwardedBody: [UInt8]
    /// What the client reads, where the answer is whole.
    let answerBody: [UInt8]
    /// The client's own credentials.
    let authorization: String?
    /// HTTP/1.0: an answer of unknown length ends with the connection.
    let isOld: Bool
    /// No request can follow it on its connection.
    let closes: Bool
    /// Requests for this one that origins have seen.
    var attempts = 0
    /// Of these, the ones that were answered with what no client may take for a whole answer.
    var spoilt: Set<Int> = []

    enum Kind {
        case raw, typed, json
        /// A body that is not of its type.
        case badJSON
        /// Chunked content that breaks in the middle.
        case badChunk
        /// No binding, or no request at all.
        case unbound, malformed
    }

    init(id: Int, using random: inout SeededGenerator) {
        self.id = id
        kind = random.pick([.raw: 50, .typed: 25, .json: 12, .badJSON: 4, .badChunk: 4, .unbound: 4, .malformed: 1])
        upstream = random.pick(["a": 2, "b": 1, "c": 1, "h": 2])
        switch kind {
        case .raw: method = random.pick(["GET": 5, "HEAD": 1, "PUT": 3, "POST": 3, "DELETE": 1])
        case .typed: method = random.chance(85) ? "GET" : "HEAD"
        case .json, .badJSON: method = "POST"
        case .badChunk: method = "PUT"
        case .unbound, .malformed: method = "GET"
        }
        authorization = random.chance(20) ? "Bearer of-client-\(id)" : nil
        let isClosing = random.chance(8)
        isOld = kind == .raw && isClosing && random.chance(50)
        closes = isClosing || kind == .malformed
        let version = isOld ? "HTTP/1.0" : "HTTP/1.1"
        var head = Self.requestLine(method, kind, upstream, id) + "\(version)\r\nHost: localhost\r\n"
        if random.chance(20) { head += "TE: trailers\r\nConnection: TE\r\n" }
        if let authorization {
            head += "Authorization: \(authorization)\r\n"
            fields.append(("authorization", authorization))
        }
        if isClosing { head += "Connection: close\r\n" }
        let sample = World.content(id)
        answerBody = method == "HEAD" ? [] : kind == .typed ? Array(World.slice(id).utf8) : sample
        var body: [UInt8] = []
        var expected: [UInt8] = []
        switch kind {
        case .raw where ["PUT", "POST"].contains(method), .badChunk:
            body = sample
            expected = body
        case .json:
            body = Array(World.item(id).utf8)
            expected = Array(#"{"item":\#(World.item(id))}"#.utf8)
            head += "Content-Type: application/json\r\n"
        case .badJSON:
            body = Array(World.item(id).replacing("\"id\": ", with: "\"id\": \"no\", \"x\": ").utf8)
            head += "Content-Type: application/json\r\n"
        default: break
        }
        forwardedBody = expected
        if [.json, .badJSON].contains(kind) { fields.append(("content-type", "application/json")) }
        content = body
        path = Self.path(kind, upstream, id)
        let hasBody = !body.isEmpty || ["PUT", "POST"].contains(method)
        if hasBody, random.chance(15) { head += "Expect: 100-continue\r\n" }
        if kind == .badChunk || hasBody && !isOld && random.chance(40) {
            isLengthKnown = false
            head += "Transfer-Encoding: chunked\r\n\r\n"
            wire = Array(head.utf8) + Self.chunked(body, isBroken: kind == .badChunk, using: &random)
        } else {
            isLengthKnown = hasBody
            if hasBody { head += "Content-Length: \(body.count)\r\n" }
            wire = Array(head.utf8) + Array("\r\n".utf8) + body
        }
    }

    private static func requestLine(_ method: String, _ kind: Kind, _ upstream: String, _ id: Int) -> String {
        "\(method) \(kind == .malformed ? " " : "")\(path(kind, upstream, id)) "
    }

    private static func path(_ kind: Kind, _ upstream: String, _ id: Int) -> String {
        switch kind {
        case .raw, .badChunk: "/\(upstream)/raw/x/\(id)?q=%20\(id)"
        case .typed: "/\(upstream)/typed/\(id)"
        case .json, .badJSON: "/\(upstream)/json/\(id)"
        case .unbound: "/nothing/\(id)"
        case .malformed: "/a/raw/\(id)"
        }
    }

    private static func chunked(_ body: [UInt8], isBroken: Bool, using random: inout SeededGenerator) -> [UInt8] {
        var wire: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let size = min(rest.count, random.pick([1: 1, 60: 2, 500: 3, 4000: 2]))
            wire += Array(String(size, radix: 16).utf8) + [0x0D, 0x0A] + rest.prefix(size) + [0x0D, 0x0A]
            rest = rest.dropFirst(size)
            if isBroken, random.chance(30) { break }
        }
        return wire + Array((isBroken ? "zz\r\n" : "0\r\n\r\n").utf8)
    }

    /// What is wrong with a request as an origin has read it; nil where nothing is.
    func fault(of message: Message, at peer: OriginPeer) -> String? {
        let origin = peer.upstream
        if message["Host"] != World.host(of: peer.endpoint.origin) { return "Host is \(message["Host"] ?? "absent")" }
        if origin != upstream { return "at '\(origin)', meant for '\(upstream)'" }
        let expected = World.tokens[origin].map { "Bearer " + $0 } ?? authorization
        if message["Authorization"] != expected { return "Authorization is \(message["Authorization"] ?? "absent")" }
        if message.isComplete {
            if kind == .badJSON || kind == .badChunk { return "a broken body arrived whole" }
            if message.body != forwardedBody { return "its body is not what was sent" }
        } else if kind != .badJSON, !forwardedBody.starts(with: message.body) {
            return "the beginning of its body is not what was sent"
        }
        if kind == .typed, message.method != "GET" { return "a typed \(message.method)" }
        return nil
    }

    /// What is wrong with an answer as the client has read it; nil where nothing is.
    func fault(of message: Message) -> String? {
        if message["Content-Type"] == "application/problem+json" { return faultOfProblem(message) }
        if kind == .unbound || kind == .malformed || kind == .badJSON { return "an answer to what has none" }
        if message["X-Id"] != "\(id)" { return "the answer of request \(message["X-Id"] ?? "nobody")" }
        if kind == .typed, message.status != 200 { return "status \(message.status) of a typed answer" }
        let body = message.status == 204 ? [] : answerBody
        if message.isComplete {
            let attempt = message["X-Attempt"].flatMap { Int($0) } ?? 0
            if spoilt.contains(attempt), kind != .typed || method != "HEAD" {
                return "a whole answer out of a broken one"
            }
            if message.body != body { return "\(message.bodyCount) bytes that are not the \(body.count) expected" }
        } else if !body.starts(with: message.body) {
            return "the beginning of another body"
        }
        return nil
    }

    private func faultOfProblem(_ message: Message) -> String? {
        switch (kind, message.status) {
        // Any head or body may arrive too slowly.
        case (_, 408), (.unbound, 404), (.malformed, 400), (.badJSON, 400), (.badChunk, 400): nil
        case (.typed, 429): nil
        case (.unbound, _), (.malformed, _): "status \(message.status)"
        case (_, 502...504): nil
        default: "status \(message.status): \(message.text)"
        }
    }
}
