internal import SluiceContract
internal import SluiceGateway
internal import SluiceHTTP
internal import SluiceSockets
internal import Glibc

/// A socket, or a TLS session over one, that carries out what its ``Link`` wants. Lives and dies on one loop.
final class Transport {
    let descriptor: Int32
    let registration: UInt32
    /// Counted here, and borrowed for every fact.
    private var kept: Borrowed<Link>
    var link: Link { kept.object }
    let tls: TLSSession?
    /// When a closing connection is closed, whatever is still to be written or read; 0 before that.
    var endsAt: UInt64 = 0
    /// What was still to be written when the connection was given its time to end.
    var stalledBytes = 0
    /// The place of a client's connection in the census.
    var place: ConnectionCensus.Place?
    // Small members stand together, so that no padding is needed: there are as many transports as idle clients.
    private let peer: Peer
    private(set) var isHandshaking: Bool
    /// Why a write has failed, where the peer had not ended its stream before; 0 for none.
    private var writeFailure: Int32 = 0
    /// The end of the stream is to be read once the bytes before it have been.
    private var isEndNear = false
    /// The last read filled its buffer, and all of it was passed on at once: the next one may be longer.
    private var isFlowing = false
    private(set) var hasWideWindow = false
    /// The last read was so long that other connections are read first.
    private(set) var readsLong = false
    /// The link has been told that the peer sends no more.
    private(set) var hasInputEnded = false
    /// The peer has been told that nothing more follows.
    var hasOutputEnded = false
    /// Everything is written, and input from the peer is discarded.
    var isLingering = false
    private(set) var isClosed = false
    /// Will be read from in the loop's next turn.
    var isUnread = false
    /// Will be written to later in the loop's turn.
    var isWaiting = false
    private var interest = initialInterest

    init(descriptor: Int32, registration: UInt32, link: Link, tls: TLSSession?, peer: Peer) {
        self.descriptor = descriptor
        self.peer = peer
        self.registration = registration
        kept = Borrowed(keeping: link)
        self.tls = tls
        isHandshaking = tls != nil
        link.handle = descriptor
    }

    deinit { _ = kept.giveUp() }

    static let initialInterest: Poller.Interest = [.read, .edges]
    private static let longByteCount = 64 << 10

    // MARK: - Events

    func ready(_ event: Poller.Event, _ loop: EventLoop) {
        if event.isWritable, interest.contains(.write) {
            flush(loop)
            // Work that waited for room in the output continues now; the next event may be a long time off.
            loop.carryOut()
        }
        if isClosed { return }
        if event.hasEnd { isEndNear = true }
        if event.isReadable, interest.contains(.read) {
            if readsLong { loop.readAgain(self) } else { receive(loop) }
        } else if event.hasError || (event.isBroken && hasInputEnded) {
            // While unread input is left, an end is no error; it is reported again once the input is read.
            fail(ECONNRESET, loop)
        }
    }

    /// Reads the bytes that have arrived, without waiting for an event.
    func readRemaining(_ loop: EventLoop) {
        if !isClosed, interest.contains(.read) { receive(loop) }
    }

    private func receive(_ loop: EventLoop) {
        let isLonger = isFlowing && loop.isLongReadAlone
        let most = min(loop.input.count, loop.gateway.readBytesMax, isLonger ? .max : InputPages.usualByteCount)
        switch peer == .unixSocket
            ? readUnix(atMost: most, loop) : SystemCall.read(descriptor, into: loop.input, atMost: most)
        {
        case .wouldBlock: return
        case .failed(let code): fail(code, loop)
        case .bytes(0):
            if isLingering { return close(loop) }
            if writeFailure != 0 { return fail(writeFailure, loop) }
            if let tls {
                tls.receiveEnd()
                decrypt(tls, loop)
            } else {
                inputEnded(loop)
            }
        case .bytes(let count):
            readsLong = count >= Self.longByteCount
            if count == most || isEndNear { loop.readAgain(self) }
            // Input that arrives while the last answer is written is discarded.
            if kept({ $0.ending != .open }) { return }
            let bytes = UnsafeRawBufferPointer(rebasing: loop.input[..<count])
            loop.pages.readCount = count
            if let tls {
                tls.receive(bytes)
                decrypt(tls, loop)
                tls.settle()
            } else {
                deliver(bytes, loop)
            }
            isFlowing = count >= InputPages.usualByteCount && kept { $0.wantsRead }
            if isFlowing { widenWindow() }
            loop.turnPage()
        }
    }

    /// A peer on this host that sends much gets room for it, as long as the receiver keeps up.
    private func widenWindow() {
        if hasWideWindow || peer != .host || isClosed { return }
        hasWideWindow = true
        Socket.widenWindow(descriptor)
    }

    private func readUnix(atMost most: Int, _ loop: EventLoop) -> SystemCall.Outcome {
        var isCut = false
        let outcome = SystemCall.read(descriptor, into: loop.input, atMost: most, isCut: &isCut)
        if isCut { loop.readAgain(self) }
        return outcome
    }

    /// Hands input to the link, carries out what follows, and only then releases the input's memory.
    private func deliver(_ bytes: UnsafeRawBufferPointer, _ loop: EventLoop) {
        kept { $0.received(bytes) }
        succeed()
        loop.carryOut()
        kept { $0.settle() }
    }

    /// Switches to the link's successor, if it has one.
    private func succeed() {
        guard let successor = kept({ $0.successor }) else { return }
        let before = kept
        kept = Borrowed(keeping: successor)
        _ = before.giveUp()
    }

    private func inputEnded(_ loop: EventLoop) {
        guard !hasInputEnded else { return }
        hasInputEnded = true
        link.inputClosed()
        loop.carryOut()
        if isClosed { return }
        setInterest(interest.subtracting(.read), loop)
    }

    private func decrypt(_ tls: TLSSession, _ loop: EventLoop) {
        if isHandshaking, !shakeHands(tls, loop) { return }
        while !isClosed {
            switch tls.read(into: loop.plaintext) {
            case .bytes(let count):
                deliver(UnsafeRawBufferPointer(rebasing: loop.plaintext[..<count]), loop)
            case .wantMore: return flush(loop)
            case .closed: return inputEnded(loop)
            case .failed(let error):
                flush(loop)
                return fail(TransportFailure(error), loop)
            }
        }
    }

    /// - Returns: whether application data can flow.
    private func shakeHands(_ tls: TLSSession, _ loop: EventLoop) -> Bool {
        switch tls.handshake() {
        case .inProgress:
            flush(loop)
            return false
        case .failed(let error):
            flush(loop)
            fail(TransportFailure(handshake: error), loop)
            return false
        case .done:
            isHandshaking = false
            let subjects = tls.clientNames()
            if !subjects.isEmpty { link.clientIdentified(subjects) }
            if tls.negotiatedProtocol == "h2" { link.http2Agreed() }
            succeed()
            link.connected()
            // HTTP/2 was expected of an upstream that speaks HTTP/1.1.
            succeed()
            loop.carryOut()
            return !isClosed
        }
    }

    /// Begins a client's handshake, or reports that the bare socket is ready.
    func begin(_ loop: EventLoop) {
        if let tls {
            _ = shakeHands(tls, loop)
        } else {
            link.connected()
            loop.carryOut()
        }
    }

    private func fail(_ code: Int32, _ loop: EventLoop) {
        fail(TransportFailure(.connectionReset, reason: SystemCall.reason(code).lowercased()), loop)
    }

    private func fail(_ failure: TransportFailure, _ loop: EventLoop) {
        if isClosed { return }
        close(loop)
        link.failed(failure)
        loop.carryOut()
    }

    // MARK: - Orders

    /// What output may wait for, so that system calls of one kind follow each other.
    enum WriteDelay {
        /// For some other connections that write, too.
        case others
        /// For the end of the turn: answers of several exchanges leave in one write.
        case turn
    }

    /// Borrowed output is copied while it waits, which pays for small output only.
    var writeDelay: WriteDelay? {
        kept { link in
            guard link.ending == .open, link.wantsRead == interest.contains(.read) else { return nil }
            if link.fillsOutbox { return link.outbox.count < Self.gatheredBytesMax ? .turn : nil }
            return link.outbox.count < Self.waitingBytesMax ? .others : nil
        }
    }

    private static let gatheredBytesMax = 16 << 10
    private static let waitingBytesMax = 4 << 10

    /// Releases the memory that the link borrows.
    func settle(_ loop: EventLoop) { kept { $0.outbox.settle(keepingIn: loop.pages) } }

    /// Brings the socket in line with what the link wants.
    func carryOut(_ loop: EventLoop) {
        if isClosed { return }
        if kept({ $0.ending == .aborted }) { return abort(loop) }
        flush(loop)
        if isClosed || hasInputEnded { return }
        let wantsRead = kept { $0.ending == .open ? $0.wantsRead : interest.contains(.read) }
        if wantsRead != interest.contains(.read) {
            setInterest(wantsRead ? interest.union(.read) : interest.subtracting(.read), loop)
        }
    }

    private func flush(_ loop: EventLoop) {
        kept { link in
            if let tls {
                writeEncrypted(&link.outbox, tls, loop)
            } else {
                write(&link.outbox, loop)
            }
            if isClosed { return }
            link.outbox.settle(keepingIn: loop.pages)
            if link.wrote(leaving: pendingBytes(of: link)) { loop.drained(self) }
            if link.ending != .open { return endAfterWriting(loop) }
            if link.endsOutput { halfClose(loop) }
        }
    }

    var pendingBytes: Int { kept { pendingBytes(of: $0) } }

    private func pendingBytes(of link: Link) -> Int { link.outbox.count + (tls?.outgoing.count ?? 0) }

    /// The session gets a limited amount at a time; while the socket takes all of it, there is room for more.
    private func writeEncrypted(_ plaintext: inout Outbox, _ tls: TLSSession, _ loop: EventLoop) {
        var isMore = true
        while isMore, !isClosed {
            isMore = encrypt(&plaintext, tls)
            write(&tls.outgoing, loop)
            if !tls.outgoing.isEmpty { return }
        }
    }

    /// - Returns: whether there is more to encrypt once this much is written.
    private func encrypt(_ plaintext: inout Outbox, _ tls: TLSSession) -> Bool {
        if isHandshaking { return false }
        while !plaintext.isEmpty {
            if tls.outgoing.count >= InputPages.usualByteCount { return true }
            guard case .bytes(let count) = tls.write(plaintext.firstRun) else { return false }
            plaintext.consume(count)
        }
        return false
    }

    private func write(_ outbox: inout Outbox, _ loop: EventLoop) {
        while !outbox.isEmpty {
            let filled = outbox.gather(into: loop.vectors)
            let outcome =
                filled == 1
                ? SystemCall.write(descriptor, outbox.firstRun)
                : SystemCall.write(descriptor, UnsafeMutableBufferPointer(rebasing: loop.vectors[..<filled]))
            switch outcome {
            case .bytes(let count):
                outbox.consume(count)
            case .wouldBlock: return awaitRoom(loop)
            case .failed(let code):
                outbox.removeAll()
                // A client gets no more answers. If its input is not read at present, nothing else would tell, and an
                // endless answer would go on for nobody.
                if place != nil || link.ending != .open || hasInputEnded { return fail(code, loop) }
                // An answer that an upstream sent before it closed may still be readable: an early answer to a long
                // upload. The read side finds it, or the end; only then is the link told. The error is told once: to
                // the read side, a reset is an end like any other now. After a FIN it is EPIPE.
                if writeFailure == 0, code != EPIPE { writeFailure = code }
                loop.readAgain(self)
                return
            }
        }
        if interest.contains(.write) { setInterest(interest.subtracting(.write), loop) }
    }

    func awaitRoom(_ loop: EventLoop) {
        if !interest.contains(.write) { setInterest(interest.union(.write), loop) }
    }

    func close(_ loop: EventLoop) {
        if isClosed { return }
        isClosed = true
        link.handle = -1
        link.closed()
        loop.forget(self)
        Glibc.close(descriptor)
        place?.leave()
    }

    func setInterest(_ wanted: Poller.Interest, _ loop: EventLoop) {
        guard wanted != interest else { return }
        interest = wanted
        loop.poller.change(descriptor, registration: registration, wanted)
    }
}
