internal import SluiceGateway
internal import SluiceHTTP
internal import SluiceSockets
internal import Glibc

/// How a connection comes to its end.
extension Transport {
    private static let lingerNanoseconds: UInt64 = 2_000_000_000

    func endAfterWriting(_ loop: EventLoop) {
        if pendingBytes == 0 { finish(loop) } else { stayForWriting(loop) }
    }

    /// The link sends nothing more, but still reads.
    func halfClose(_ loop: EventLoop) {
        guard !hasOutputEnded, pendingBytes == 0 else { return }
        hasOutputEnded = true
        if let tls {
            closeOutput(of: tls, loop)
        } else {
            shutdown(descriptor, Int32(SHUT_WR))
        }
    }

    /// Sends the close_notify (RFC 8446 §6.1), as soon as there is room for it.
    private func closeOutput(of tls: TLSSession, _ loop: EventLoop) {
        tls.shutdown()
        switch SystemCall.write(descriptor, tls.outgoing.firstRun) {
        case .bytes(let count): tls.outgoing.consume(count)
        case .wouldBlock: break
        // Nobody is left to be told.
        case .failed: tls.outgoing.removeAll()
        }
        if !tls.outgoing.isEmpty { awaitRoom(loop) }
    }

    private func finish(_ loop: EventLoop) {
        if isLingering { return }
        if let tls, !isHandshaking, !hasOutputEnded {
            hasOutputEnded = true
            closeOutput(of: tls, loop)
            if pendingBytes > 0 { return stayForWriting(loop) }
        }
        if link.ending == .lingering, !hasInputEnded {
            shutdown(descriptor, Int32(SHUT_WR))
            isLingering = true
            setInterest(Self.initialInterest, loop)
            stay(for: Self.lingerNanoseconds, loop)
        } else {
            close(loop)
        }
    }

    /// From here on only the transport watches the connection: its link is done with it.
    private func stay(for nanoseconds: UInt64, _ loop: EventLoop) {
        if endsAt == 0 { loop.ending(self) }
        endsAt = loop.gateway.now &+ nanoseconds
    }

    /// A client that takes little of its last answer gets little time: some for each byte, but never more than at
    /// first.
    private func stayForWriting(_ loop: EventLoop) {
        let isFirst = endsAt == 0
        let most = loop.gateway.now &+ loop.stallNanoseconds
        let earned = UInt64(max(0, stalledBytes - pendingBytes)) &* loop.nanosecondsPerByte
        let deadline = isFirst || loop.nanosecondsPerByte == 0 ? most : min(most, endsAt &+ earned)
        stalledBytes = pendingBytes
        if isFirst { loop.ending(self) }
        endsAt = deadline
    }

    func abort(_ loop: EventLoop) {
        var reset = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        close(loop)
    }
}
