internal import SluiceContract
internal import SluiceHTTP

/// One client of the demo API: it answers requests in order, until either side closes.
final class DemoConnection {
    /// A longer body is refused.
    private static let bodyBytesMax = 1 << 20
    /// Longer than a gateway keeps an idle connection, so that the gateway closes first.
    private static let idleSeconds = 75

    private let socket: StreamSocket
    private let api: FruitAPI
    private let isBusy: () -> Bool
    private var machine = HTTP1ServerMachine(limits: HTTP1Limits(Limits()))
    private var head = RequestHead()
    private var trailers = HeaderBlock()
    private var body: [UInt8] = []

    /// - Parameter isBusy: whether connections should be closed after their answer.
    init(_ socket: StreamSocket, api: FruitAPI, isBusy: @escaping () -> Bool) {
        self.socket = socket
        self.api = api
        self.isBusy = isBusy
        socket.setTimeout(seconds: Self.idleSeconds)
    }

    func serve() {
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { input.deallocate() }
        while let count = socket.read(into: input) {
            if count == 0 {
                machine.inputClosed()
            } else {
                machine.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
            }
            guard takeEvents() else { return }
            machine.settle()
        }
    }

    /// - Returns: whether the connection goes on.
    private func takeEvents() -> Bool {
        while true {
            switch machine.next(&head, trailers: &trailers) {
            case .needMore: return true
            case .request:
                body.removeAll(keepingCapacity: true)
                guard expectationIsMet() else { return false }
            case .body(let bytes):
                guard body.count + bytes.count <= Self.bodyBytesMax else {
                    answer(.error(413, "too_large", "The body is too large."), closes: true)
                    return false
                }
                body.append(contentsOf: bytes)
            case .end:
                guard answerRequest() else { return false }
                machine.responseCompleted()
            case .refused(let refusal):
                answer(.error(refusal.kind.status, "bad_request", "\(refusal.detail)"), closes: true)
                return false
            case .paused, .closed, .truncated: return false
            }
        }
    }

    /// RFC 9110 §10.1.1.
    private func expectationIsMet() -> Bool {
        guard head.expectsContinue else { return true }
        var outbox = Outbox()
        HTTP1Writer.statusLine(status: 100, into: &outbox)
        HTTP1Writer.endOfHead(into: &outbox)
        return socket.write(&outbox)
    }

    private func answerRequest() -> Bool {
        let request = DemoRequest(head, body: body)
        let response = api.answer(request)
        // The target holds no secret here, and a control character cannot stand in one (RFC 9112 §3.2).
        Say.error("demo-upstream: \(request.method) \(request.target) \(response.status)")
        return answer(response, closes: !head.keepAlive || isBusy())
    }

    /// - Returns: whether another request may follow.
    @discardableResult
    private func answer(_ response: DemoResponse, closes: Bool) -> Bool {
        switch response.body {
        case .bytes(let bytes):
            var outbox = start(response, closes: closes)
            if response.status != 204 { HTTP1Writer.field(.contentLength, decimal: bytes.count, into: &outbox) }
            HTTP1Writer.endOfHead(into: &outbox)
            if head.method != .head { outbox.append(bytes) }
            return socket.write(&outbox) && !closes
        case .broken(let answer):
            return send(answer, response, closes: closes) && !closes
        }
    }

    private func start(_ response: DemoResponse, closes: Bool) -> Outbox {
        var outbox = Outbox()
        HTTP1Writer.statusLine(status: response.status, into: &outbox)
        HTTP1Writer.field(.server, "sluice-demo", into: &outbox)
        if closes { HTTP1Writer.field(.connection, "close", into: &outbox) }
        for field in response.fields {
            Array(field.value.utf8).withUnsafeBytes { HTTP1Writer.field(field.id, $0, into: &outbox) }
        }
        return outbox
    }

    // MARK: - What goes wrong on the wire

    /// - Returns: whether another request may follow.
    private func send(_ answer: BrokenAnswer.Wire, _ response: DemoResponse, closes: Bool) -> Bool {
        switch answer {
        case .reset:
            socket.resetWhenClosed()
            return false
        case .truncated(let text, let announced):
            var outbox = start(response, closes: true)
            HTTP1Writer.field(.contentLength, decimal: announced, into: &outbox)
            HTTP1Writer.endOfHead(into: &outbox)
            outbox.append(Array(text.utf8))
            _ = socket.write(&outbox)
            return false
        case .trailers(let text):
            var outbox = start(response, closes: closes)
            HTTP1Writer.field(.trailer, "X-Fruit-Count", into: &outbox)
            startChunks(&outbox)
            for piece in text.utf8.chunks(of: 16) { appendChunk(piece, &outbox) }
            var trailers = HeaderBlock()
            trailers.append(name: UnsafeRawBufferPointer("X-Fruit-Count"), value: UnsafeRawBufferPointer("1"))
            HTTP1Writer.lastChunk(trailers: trailers, into: &outbox)
            return socket.write(&outbox)
        case .huge(let opening, let element, let closing, let count):
            var outbox = start(response, closes: closes)
            startChunks(&outbox)
            appendChunk(Array(opening.utf8), &outbox)
            let block = Array(String(repeating: element + ",", count: 256).utf8)
            for _ in 0..<count / 256 {
                appendChunk(block, &outbox)
                guard socket.write(&outbox) else { return false }
            }
            appendChunk(Array((element + closing).utf8), &outbox)
            HTTP1Writer.lastChunk(into: &outbox)
            return socket.write(&outbox)
        }
    }

    private func startChunks(_ outbox: inout Outbox) {
        HTTP1Writer.field(.transferEncoding, "chunked", into: &outbox)
        HTTP1Writer.endOfHead(into: &outbox)
    }

    private func appendChunk(_ bytes: [UInt8], _ outbox: inout Outbox) {
        HTTP1Writer.chunkStart(count: bytes.count, into: &outbox)
        outbox.append(bytes)
        HTTP1Writer.chunkEnd(into: &outbox)
    }
}

extension Collection where Element == UInt8 {
    fileprivate func chunks(of size: Int) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            chunks.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return chunks
    }
}

extension UnsafeRawBufferPointer {
    fileprivate init(_ text: StaticString) {
        self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
