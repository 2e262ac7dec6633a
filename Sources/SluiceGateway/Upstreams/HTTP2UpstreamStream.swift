internal import SluiceContract
internal import SluiceHTTP
internal import SluiceHTTP2

/// One stream of an ``HTTP2UpstreamLink``: carries one call. Streams are reused.
final class HTTP2UpstreamStream: HTTP2ClientStream, Resumable {
    /// Kept alive by its pool while it is at work; it lets go of this stream before it is given back.
    private(set) var call: Borrowed<UpstreamCall>?
    /// Kept alive by its transport and the pool; nil once the session has closed the stream.
    private var link: Borrowed<HTTP2UpstreamLink>?
    /// Content that the call does not take now; no more than the stream's window.
    private var incoming = ByteScratch()
    private var reads = true
    /// The end of the answer waits behind `incoming`.
    private var isEndHeld = false
    /// The head of an answer without content waits for the end of the stream.
    private var isHeadHeld = false
    /// How much of the announced length the call has not got yet; nil where none is announced.
    private var contentLeft: Int?
    private var isPostponed = false
    private var isRequestComplete = false
    private var isTunnel = false
    /// The peer's limit for the bytes of fields, where the request's fields exceed it.
    private var tooManyBytes: Int?
    /// The epoch of its request in the link's ``RequestGathering``, until the head of the answer arrives.
    private var gathered: UInt32 = 0

    /// Whether nothing uses the stream any more: it may be reused.
    var isFree: Bool { link == nil && call == nil && !isPostponed }

    func begin(_ link: HTTP2UpstreamLink, for call: UpstreamCall) {
        self.link = Borrowed(link)
        self.call = Borrowed(call)
        reads = true
        isEndHeld = false
        isHeadHeld = false
        contentLeft = nil
        isRequestComplete = false
        isTunnel = false
        tooManyBytes = nil
        gathered = 0
        if incoming.count > 0 { incoming.removeAll() }
    }

    // MARK: - Orders from the call

    func sendHead(of call: UpstreamCall) -> Bool {
        let outline = call.outline
        isTunnel = outline.opensTunnel
        if !isTunnel { return submitHead(of: call, outline) }
        link?({ $0.tunnelAsked(self) })
        return true
    }

    private func submitHead(of call: UpstreamCall, _ outline: UpstreamCall.Outline) -> Bool {
        guard let link else { return false }
        return link { link in
            call.writeHead(to: link.session, &link.endpoint.http2.lines)
            let hasContent = isTunnel || outline.hasContent
            switch link.session.submitRequest(outline.method, hasContent: hasContent, on: self) {
            case .opened: break
            case .exhausted: return false
            case .tooLarge(let most):
                tooManyBytes = most
                return false
            }
            gathered = link.gathering.submitted(isWhole: !hasContent)
            link.touch()
            return true
        }
    }

    /// Nothing has been sent on the stream, and nothing will be.
    func unused() {
        call = nil
        link?({ $0.withdrawn(self) })
    }

    /// The connection takes no more requests, or not this one.
    func refused() {
        guard let most = tooManyBytes else {
            link?({ $0.refused(self) })
            return
        }
        let call = letGo()
        link?({ $0.withdrawn(self) })
        call?({ $0.streamLost(.fieldsTooLarge(most: most), hadFirstByte: false) })
    }

    func send(_ bytes: UnsafeRawBufferPointer, lifetime: RunLifetime) {
        link?({ link in
            link.session.submitContent(bytes, isBorrowed: lifetime == .drain, on: self)
            link.requestGrew(self)
        })
    }

    func send(trailers: borrowing HeaderBlock) {
        guard let link = link?.object else { return }
        link.session.submitEnd(trailers: trailers, on: self)
        link.hasNews()
    }

    /// The peer's SETTINGS have come: a waiting tunnel is opened, or refused.
    func openTunnel(isOffered: Bool) {
        guard let call = call?.object else { return }
        if isOffered {
            guard call.isSendable else {
                unused()
                return call.leaseAgain()
            }
            if !submitHead(of: call, call.outline) { refused() }
        } else {
            unused()
            call.streamLost(
                .malformed("It opens no WebSockets over HTTP/2 (RFC 8441 §3); set 'protocol: h1' for it."),
                hadFirstByte: false)
        }
    }

    func requestEnded() {
        // The end of the request does not end the tunnel.
        if isTunnel { return }
        endTunnelInput()
    }

    func endTunnelInput() {
        isRequestComplete = true
        link?({ link in
            // The head may have ended the stream already.
            if link.session.submitEnd(on: self) { link.hasNews() }
        })
    }

    func setReading(_ reads: Bool) {
        self.reads = reads
        guard reads, incoming.count > 0 || isEndHeld, !isPostponed, !isLast(incoming.count), let call else { return }
        // Postponed, because this may be called while another link handles an event.
        isPostponed = true
        call { $0.loop.coding.postpone(.delivery, of: self) }
    }

    /// The call does not want the rest of the answer; the connection stays usable.
    func abandon() {
        call = nil
        incoming.removeAll()
        link?({ $0.cancelled(self) })
    }

    // MARK: - The answer

    func interimReceived() {
        guard let call else { return }
        call { call in
            takeInterim(&call.response)
            call.interimReceived()
        }
    }

    func responseReceived() {
        link?({ $0.gathering.answered(gathered) })
        gathered = 0
        switch response.framing {
        case .none, .length(0): isHeadHeld = !isTunnel && !isResponseEnded
        case .length(let length): contentLeft = length
        case .chunked, .untilClose: break
        }
        if !isHeadHeld { handOnHead() }
    }

    private func handOnHead() {
        isHeadHeld = false
        call?({ call in
            swap(&call.response, &response)
            call.responseReceived()
        })
    }

    func bodyReceived(_ bytes: UnsafeRawBufferPointer) {
        guard let call else { return }
        guard reads, incoming.count == 0, !isLast(bytes.count) else { return incoming.append(bytes) }
        link?({ $0.session.taken(bytes.count, of: self) })
        handOn(bytes, to: call)
    }

    private func handOn(_ bytes: UnsafeRawBufferPointer, to call: Borrowed<UpstreamCall>) {
        if let left = contentLeft { contentLeft = left - bytes.count }
        call { $0.bodyReceived(bytes) }
    }

    /// Whether these bytes reach the announced length before the stream has ended. They wait for its end then: the
    /// stream may still fail, and a client that had the whole answer would lose its next request with it.
    private func isLast(_ count: Int) -> Bool {
        guard !isResponseEnded, let left = contentLeft else { return false }
        return count >= left
    }

    func responseEnded() {
        if isHeadHeld { handOnHead() }
        guard let call else { return }
        call { swap(&$0.trailers, &trailers) }
        if incoming.count == 0 { return end() }
        isEndHeld = true
        // What waited for the end alone goes on; the call has not asked for it.
        setReading(reads)
    }

    private func end() {
        isEndHeld = false
        guard let call else { return }
        self.call = nil
        // The upstream has answered before it read the whole request: the rest is not sent (RFC 9113 §8.1).
        if !isRequestComplete { link?({ $0.cancelled(self, .noError) }) }
        call { $0.responseEnded() }
    }

    /// Hands on postponed content, in a turn of its own and no more than one read could bring.
    /// - Parameter carryOut: drains the touched links.
    func resume(_ work: CodingRoom.Work, _ carryOut: () -> Void) {
        isPostponed = false
        guard reads, !isLast(incoming.count), let call else { return }
        var content = ByteScratch()
        swap(&content, &incoming)
        let count = call { min(content.count, $0.loop.pages.memory.count) }
        if count > 0 {
            incoming.append(content.bytes(count..<content.count))
            link?({ link in
                link.session.taken(count, of: self)
                link.hasNews()
            })
            handOn(content.bytes(0..<count), to: call)
        }
        if reads, self.call != nil {
            if isEndHeld, incoming.count == 0 { end() } else { setReading(true) }
        }
        carryOut()
        // Bytes that the call holds are borrowed from `content`.
        if call({ $0.isAtWork }) { call { $0.settle() } }
    }

    /// The input buffer that the call's held bytes are borrowed from is about to be reused.
    func settleCall() { call?({ $0.settle() }) }

    // MARK: - The end

    /// The session has closed the stream; content that is still held is delivered without it.
    func closed(_ end: End) {
        if gathered > 0 { link?({ $0.gathering.answered(gathered) }) }
        gathered = 0
        link = nil
        if end == .done { return }
        guard let call = letGo() else { return }
        call { $0.streamLost(end, hadFirstByte: hasFirstByte) }
    }

    /// The whole connection is lost.
    func connectionLost(_ problem: Problem?, isReused: Bool) {
        link = nil
        if isResponseEnded { return }
        guard let call = letGo() else { return }
        call { $0.linkLost(problem, isReused: isReused, hadFirstByte: hasFirstByte, wasConnecting: false) }
    }

    private func letGo() -> Borrowed<UpstreamCall>? {
        incoming.removeAll()
        defer { call = nil }
        return call
    }
}
