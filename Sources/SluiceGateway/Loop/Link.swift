public import SluiceContract
public import SluiceHTTP

/// One transport connection as the corridor sees it: facts come in, and the corridor leaves its wishes in the
/// properties, to be carried out by the owner of the transport (an event loop, a simulation, a test).
///
/// The owner delivers a fact, then drains the loop's list of touched links: it connects, writes `outbox`, follows
/// `wantsRead` and ends the connection as `ending` says. Nothing is ever called back from inside a fact.
///
/// There are as many as clients that rest: its small properties stand together, so that it takes no room between them.
public class Link {
    /// Bytes for the peer.
    public final var outbox = Outbox()
    /// What the last write has left for the peer, as it was counted in the loop's ``SharedRoom``.
    final private(set) var waitingBytes = 0
    /// The endpoint to connect to; the owner clears it when it has begun.
    public final var dialing: DialTarget?
    /// What it offers to speak where it is dialled over TLS, the preferred one first (RFC 7301).
    public final var protocols = ["http/1.1"]
    /// The link that has taken this one's place in the middle of a fact: the owner hands the transport over to it.
    public final var successor: Link?
    /// For the owner's bookkeeping: an object such as a TLS session.
    public final var attachment: AnyObject?
    /// Counted, and immutable: that way it is free to use (see ``Borrowed``). ``Gateway/end()`` breaks the cycle
    /// through what the loop keeps.
    final let loop: LoopContext
    /// For the owner's bookkeeping: a descriptor, or an index.
    public final var handle: Int32 = -1
    /// Its number in the registry that keeps it alive while the owner has a transport for it; -1 without.
    final var slot: Int32 = -1
    /// Whether the owner should deliver more input; off is back-pressure.
    public final var wantsRead = true
    /// The corridor waits for the outbox to become short; ``wrote(leaving:)`` says when no more than half of the limit
    /// waits. Only the corridor knows that it waits: an outbox may be above the limit between two writes and never
    /// after one.
    public final private(set) var awaitsDrain = false
    public final var ending = Ending.open
    /// Write what is waiting, then half-close and go on reading: a tunnel whose other side has done so.
    public final var endsOutput = false
    /// What many exchanges write is collected when the link is drained, and may wait for the end of the owner's turn.
    public final var fillsOutbox = false
    final var isTouched = false

    public enum Ending: Equatable, Sendable {
        case open
        /// Write what is waiting, then close.
        case closing
        /// Write what is waiting, half-close, discard input for a while, close: so that a reset, provoked by an unread
        /// body, does not destroy the answer on its way (RFC 9112 §9.6).
        case lingering
        /// Close at once, with a reset where the transport has one.
        case aborted
    }

    init(loop: LoopContext) {
        self.loop = loop
    }

    /// A connection that was dialled is there.
    public func connected() {}

    /// The client has shown a certificate in the handshake, which is verified; told before anything else of it.
    public func clientIdentified(_ subjects: [CertificateName]) {}

    /// The handshake of a client's TLS connection has settled that HTTP/2 is spoken (RFC 7301).
    public func http2Agreed() {}

    /// Input arrived; `bytes` are valid until the owner has drained the touched links.
    public func received(_ bytes: UnsafeRawBufferPointer) {}

    /// The touched links have been drained since the last input; its memory is about to be used again.
    public func settle() {}

    /// The peer will send no more.
    public func inputClosed() {}

    /// The transport is gone, or was never made; no further fact follows.
    public func failed(_ failure: TransportFailure) {}

    /// The outbox has become short after the corridor found it too long.
    public func drained() {}

    /// Whether more may be appended to the outbox; if not, ``drained()`` follows.
    final func hasRoom() -> Bool {
        if outbox.count > loop.room.each { awaitsDrain = true }
        return !awaitsDrain
    }

    /// To be called by the owner when it has written what it could.
    /// - Parameter bytes: what still waits for the peer, here or in the transport.
    /// - Returns: whether ``drained()`` is to be called, where the link waits for it.
    public final func wrote(leaving bytes: Int) -> Bool {
        if bytes != waitingBytes { noteWaiting(bytes) }
        if !awaitsDrain {
            guard bytes > loop.room.left else { return false }
            awaitsDrain = true
            fellBehind()
        }
        guard bytes <= loop.room.left / 2 else { return false }
        awaitsDrain = false
        return true
    }

    /// A write has left more than there is room for; ``drained()`` follows.
    func fellBehind() {}

    /// To be called by the owner when the transport is closed: nothing waits any more.
    public final func closed() {
        if waitingBytes != 0 { noteWaiting(0) }
    }

    private final func noteWaiting(_ bytes: Int) {
        let before = waitingBytes
        loop.room.change(by: bytes - before)
        waitingBytes = bytes
        waitingChanged(from: before)
    }

    /// The last write has left more or less for the peer than the one before, which left `bytes`.
    func waitingChanged(from bytes: Int) {}

    /// A timer of this link fired.
    func timerFired() {}

    /// Puts into the outbox what there is to send; only where ``fillsOutbox``.
    func fillOutbox() {}

    /// The daemon is stopping: a client's connection ends after what is in flight.
    func drainBegan() {}

    /// The time to finish is over.
    func abort() {}

    /// The transport goes on with another link, which the owner hands it to.
    final func handOver(to link: Link) {
        link.handle = handle
        link.attachment = attachment
        handle = -1
        attachment = nil
        successor = link
    }

    /// Puts the link on the list of those whose wishes have changed.
    final func touch() {
        if isTouched { return }
        isTouched = true
        loop.touched.append(self)
    }
}

/// Why a transport ended, in the owner's words.
public struct TransportFailure: Error, Sendable {
    public var kind: Problem.Kind
    public var detail: String
    /// Whether `detail` is what the system or the library says, and no sentence that names the peer.
    private let isReason: Bool

    public init(_ kind: Problem.Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
        isReason = false
    }

    /// - Parameter reason: without a point at its end.
    public init(_ kind: Problem.Kind, reason: String) {
        self.kind = kind
        detail = reason
        isReason = true
    }

    /// What becomes of it where the peer is this upstream.
    func problem(with upstream: String) -> Problem {
        guard isReason else { return Problem(kind, detail: detail) }
        let what = kind == .tlsFailure ? "TLS with '\(upstream)'" : "The connection to '\(upstream)' broke"
        return Problem(kind, detail: "\(what): \(detail).")
    }
}
