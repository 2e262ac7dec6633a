internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// The carrier of an ``UpstreamCall``: a connection of its own in HTTP/1.1, one stream of a shared one in HTTP/2, the
/// gateway itself, which composes the answer from those of other bindings, or a fixture.
///
/// An enumeration rather than a protocol, because all bytes of a request go through it.
enum UpstreamCarrier {
    case connection(UpstreamLink)
    case stream(HTTP2UpstreamStream)
    case parts(PartsCarrier)
    /// A fixture instead of an upstream.
    case fixture(FixtureLink)

    /// Whether it is an HTTP/2 stream.
    var isStream: Bool {
        if case .stream = self { return true }
        return false
    }

    var isFixture: Bool {
        if case .fixture = self { return true }
        return false
    }

    /// Sends the head of the request.
    /// - Returns: false where the connection accepts no more requests.
    func begin(_ call: UpstreamCall) -> Bool {
        switch self {
        case .connection(let link):
            let outline = call.outline
            link.requestBegan(outline.method, expectsUpgrade: outline.opensTunnel)
            call.writeHead(into: &link.outbox)
            return true
        case .stream(let stream): return stream.sendHead(of: call)
        case .parts(let parts):
            parts.begin(call)
            return true
        case .fixture: return true
        }
    }

    /// Ends a request that ``begin(_:)`` did not begin; the call is told.
    func refuse() {
        if case .stream(let stream) = self { stream.refused() }
    }

    /// Whether bytes of the request's body can be taken now; if not, the call is told once they can.
    func hasRoom() -> Bool {
        switch self {
        case .connection(let link): link.hasRoom()
        case .stream(let stream): stream.hasRoom()
        case .parts: true
        case .fixture: true
        }
    }

    /// A number that grows with the bytes that the peer takes, while nothing more is sent.
    var takenCount: Int {
        switch self {
        case .connection(let link): -link.outbox.count
        case .stream(let stream): stream.sentBytes
        case .parts: 0
        case .fixture: 0
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime, isChunked: Bool) {
        switch self {
        case .connection(let link):
            if isChunked { HTTP1Writer.chunkStart(count: bytes.count, into: &link.outbox) }
            switch lifetime {
            case .drain: link.outbox.borrow(bytes)
            case .call: link.outbox.append(bytes)
            }
            if isChunked { HTTP1Writer.chunkEnd(into: &link.outbox) }
            link.touch()
        case .stream(let stream): stream.send(bytes, lifetime: lifetime)
        case .parts(let parts): parts.send(bytes)
        case .fixture(let link): link.take(bytes)
        }
    }

    /// The body has ended, except for its trailers; ``requestEnded()`` follows.
    func send(trailers: borrowing HeaderBlock, isChunked: Bool) {
        switch self {
        case .connection(let link):
            if isChunked { HTTP1Writer.lastChunk(trailers: trailers, into: &link.outbox) }
        case .stream(let stream): stream.send(trailers: trailers)
        case .parts: break
        case .fixture: break
        }
    }

    func requestEnded() {
        switch self {
        case .connection(let link): link.requestEnded()
        case .stream(let stream): stream.requestEnded()
        case .parts(let parts): parts.requestEnded()
        case .fixture(let link): link.requestEnded()
        }
    }

    /// Whether the call takes the answer now.
    func setReading(_ reads: Bool) {
        switch self {
        case .connection(let link): link.setReading(reads)
        case .stream(let stream): stream.setReading(reads)
        case .parts(let parts): parts.setReading(reads)
        case .fixture(let link): link.setReading(reads)
        }
    }

    /// The call does not want the rest of the answer.
    func abandon() {
        switch self {
        case .connection(let link): link.abandon()
        case .stream(let stream): stream.abandon()
        case .parts(let parts): parts.abandon()
        case .fixture(let link): link.abandon()
        }
    }

    /// The call has the value it wants before the answer has ended.
    func leaveRest() {
        switch self {
        case .connection(let link): link.leaveRest()
        case .stream(let stream): stream.abandon()
        case .parts(let parts): parts.abandon()
        case .fixture(let link): link.abandon()
        }
    }

    /// The client of a tunnel has half-closed.
    func endTunnelInput() {
        switch self {
        case .connection(let link):
            link.endsOutput = true
            link.touch()
        case .stream(let stream): stream.endTunnelInput()
        case .parts: break
        case .fixture: break
        }
    }
}
