internal import SluiceContract
internal import SluiceGateway
internal import SluiceHTTP
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// A socket, or a TLS session over one, that carries out what its ``Link`` wants. Lives and dies on one loop.
final class Transport {
    let descriptor: Int32
    let registration: UInt32
    private(set) var link: Link
    let tls: TLSSession?
    private var interest: Poller.Interest = .read
    private var isHandshaking: Bool
    /// The link has been told that the peer sends no more.
    private var hasInputEnded = false
    /// The peer has been told that nothing more follows.
    private var hasOutputEnded = false
    /// When a connection that ends is closed, whatever is still to be written or read; 0 before it ends.
    private(set) var endsAt: UInt64 = 0
    /// All is written, and what the peer still sends is discarded.
    private(set) var isLingering = false
    private(set) var isClosed = false
    /// Will be written at the end of the loop's turn.
    var isCollecting = false
    /// What a client's connection is counted by.
    var place: ConnectionCensus.Place?
    /// What was still to be written when the connection was given its time to end.
    private var stalledBytes = 0

    init(descriptor: Int32, registration: UInt32, link: Link, tls: TLSSession?) {
        self.descriptor = descriptor
        self.registration = registration
        self.link = link
        self.tls = tls
        isHandshaking = tls != nil
        link.handle = descriptor
    }

    static let lingerNanoseconds: UInt64 = 2_000_000_000

    // MARK: - Events

    func ready(_ event: Poller.Event, _ loop: EventLoop) {
        if event.isWritable, interest.contains(.write) {
            flush(loop)
            // What waited for room goes on now; the next event may be a long time off.
            loop.carryOut()
        }
        if isClosed { return }
        if event.isReadable, interest.contains(.read) {
            receive(loop)
        } else if event.isBroken {
            // Nobody reads, so the error would be reported again and again.
            fail(ECONNRESET, loop)
        }
    }

    /// Reads what has arrived, without waiting to be told that something has.
    func readRemaining(_ loop: EventLoop) {
        if !isClosed, interest.contains(.read) { receive(loop) }
    }

    private func receive(_ loop: EventLoop) {
        switch SystemCall.read(descriptor, into: loop.input, atMost: loop.gateway.readBytesMax) {
        case .wouldBlock: return
        case .failed(let code): fail(code, loop)
        case .bytes(0):
            if isLingering { return close(loop) }
            if let tls {
                tls.receiveEnd()
                decrypt(tls, loop)
            } else {
                inputEnded(loop)
            }
        case .bytes(let count):
            // What comes while the last answer is being written is for nobody, and is not collected.
            if link.ending != .open { return }
            let bytes = UnsafeRawBufferPointer(rebasing: loop.input[..<count])
            if let tls {
                tls.receive(bytes)
                decrypt(tls, loop)
                tls.settle()
            } else {
                deliver(bytes, loop)
            }
            loop.turnPage()
        }
    }

    /// Hands input to the link, does what follows from it, and only then lets the input's memory go.
    private func deliver(_ bytes: UnsafeRawBufferPointer, _ loop: EventLoop) {
        link.received(bytes)
        if let successor = link.successor { link = successor }
        loop.carryOut()
        link.settle()
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
                return fail(TransportFailure(.connectionReset, "TLS: \(error)"), loop)
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
            fail(TransportFailure(.tlsFailure, "\(error)"), loop)
            return false
        case .done:
            isHandshaking = false
            let subjects = tls.clientNames()
            if !subjects.isEmpty { link.clientIdentified(subjects) }
            if tls.negotiatedProtocol == "h2" { link.http2Agreed() }
            if let successor = link.successor { link = successor }
            link.connected()
            // HTTP/2 was expected of an upstream that speaks HTTP/1.1.
            if let successor = link.successor { link = successor }
            loop.carryOut()
            return !isClosed
        }
    }

    /// Begins a client's handshake, or says that the bare socket is ready.
    func begin(_ loop: EventLoop) {
        if let tls {
            _ = shakeHands(tls, loop)
        } else {
            link.connected()
            loop.carryOut()
        }
    }

    private func fail(_ code: Int32, _ loop: EventLoop) {
        fail(TransportFailure(.connectionReset, SystemCall.reason(code)), loop)
    }

    private func fail(_ failure: TransportFailure, _ loop: EventLoop) {
        if isClosed { return }
        close(loop)
        link.failed(failure)
        loop.carryOut()
    }

    // MARK: - Orders

    /// Whether what is written now may wait for the end of the turn: answers of several exchanges then leave in one
    /// write. What is borrowed is copied meanwhile, which pays for little only.
    var mayWait: Bool {
        link.fillsOutbox && link.ending == .open && link.outbox.count < Self.waitingBytesMax
    }

    private static let waitingBytesMax = 16 << 10

    /// Brings the socket in line with what the link wants.
    func carryOut(_ loop: EventLoop) {
        if isClosed { return }
        if link.ending == .aborted { return abort(loop) }
        flush(loop)
        if isClosed { return }
        if link.ending == .open, !hasInputEnded, link.wantsRead != interest.contains(.read) {
            setInterest(link.wantsRead ? interest.union(.read) : interest.subtracting(.read), loop)
        }
    }

    private func flush(_ loop: EventLoop) {
        if let tls {
            // When all records have gone, the socket is not watched any more: what had no room in them follows now.
            repeat { encrypt(tls) } while write(&tls.outgoing, loop) && !isHandshaking && !link.outbox.isEmpty
        } else {
            _ = write(&link.outbox, loop)
        }
        if isClosed { return }
        link.outbox.settle(keepingIn: loop.pages)
        if link.wrote(leaving: pendingBytes) { loop.drained(self) }
        if link.ending == .open { return halfClose() }
        if pendingBytes == 0 { finish(loop) } else { stayForWriting(loop) }
    }

    /// The link will send no more, and still reads.
    private func halfClose() {
        guard link.endsOutput, !hasOutputEnded, pendingBytes == 0 else { return }
        hasOutputEnded = true
        if let tls {
            tls.shutdown()
            _ = SystemCall.write(descriptor, tls.outgoing.firstRun)
        } else {
            shutdown(descriptor, Int32(SHUT_WR))
        }
    }

    private var pendingBytes: Int { link.outbox.count + (tls?.outgoing.count ?? 0) }

    private func encrypt(_ tls: TLSSession) {
        guard !isHandshaking else { return }
        while !link.outbox.isEmpty, tls.outgoing.count < InputPages.usualByteCount {
            guard case .bytes(let count) = tls.write(link.outbox.firstRun) else { return }
            link.outbox.consume(count)
        }
    }

    /// - Returns: whether something was written, and nothing is left.
    private func write(_ outbox: inout Outbox, _ loop: EventLoop) -> Bool {
        let isEmpty = outbox.isEmpty
        while !outbox.isEmpty {
            let filled = outbox.gather(into: loop.vectors)
            let outcome =
                filled == 1
                ? SystemCall.write(descriptor, outbox.firstRun)
                : SystemCall.write(descriptor, UnsafeMutableBufferPointer(rebasing: loop.vectors[..<filled]))
            switch outcome {
            case .bytes(let count):
                outbox.consume(count)
            case .wouldBlock:
                if !interest.contains(.write) { setInterest(interest.union(.write), loop) }
                return false
            case .failed(let code):
                // What the peer sent before it closed may still be readable: an early answer to a long upload. The
                // read side finds that, or the end; only then is the link told.
                outbox.removeAll()
                if link.ending != .open || !interest.contains(.read) {
                    fail(code, loop)
                } else {
                    loop.readAgain(self)
                }
                return false
            }
        }
        if interest.contains(.write) { setInterest(interest.subtracting(.write), loop) }
        return !isEmpty
    }

    private func finish(_ loop: EventLoop) {
        if isLingering { return }
        if let tls, !isHandshaking {
            tls.shutdown()
            // The last record; whether it arrives changes nothing any more.
            _ = SystemCall.write(descriptor, tls.outgoing.firstRun)
        }
        if link.ending == .lingering, !hasInputEnded {
            shutdown(descriptor, Int32(SHUT_WR))
            isLingering = true
            setInterest(.read, loop)
            stay(for: Self.lingerNanoseconds, loop)
        } else {
            close(loop)
        }
    }

    /// Nobody else watches a connection that ends: its link is done with it.
    private func stay(for nanoseconds: UInt64, _ loop: EventLoop) {
        if endsAt == 0 { loop.ending(self) }
        endsAt = loop.gateway.now &+ nanoseconds
    }

    /// Who takes little of its last answer has little time for it: so much for each byte, and never more than at first.
    private func stayForWriting(_ loop: EventLoop) {
        let isFirst = endsAt == 0
        let most = loop.gateway.now &+ loop.stallNanoseconds
        let earned = UInt64(max(0, stalledBytes - pendingBytes)) &* loop.nanosecondsPerByte
        let deadline = isFirst || loop.nanosecondsPerByte == 0 ? most : min(most, endsAt &+ earned)
        stalledBytes = pendingBytes
        if isFirst { loop.ending(self) }
        endsAt = deadline
    }

    private func abort(_ loop: EventLoop) {
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        close(loop)
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

    private func setInterest(_ wanted: Poller.Interest, _ loop: EventLoop) {
        guard wanted != interest else { return }
        interest = wanted
        loop.poller.change(descriptor, registration: registration, wanted)
    }
}
