public import SluiceContract
public import SluiceHTTP

/// One transport connection as the corridor sees it: events come in as method calls, and the corridor leaves its wishes
/// in the properties, to be carried out by the owner of the transport (an event loop, a simulation, a test).
///
/// The owner delivers an event, then drains the loop's list of touched links: it connects, writes `outbox`, follows
/// `wantsRead` and ends the connection as `ending` says. A link never calls its owner back while it handles an event.
///
/// There are as many links as idle clients: the small properties stand together, to save padding.
public class Link {
    /// Bytes for the peer.
    public final var outbox = Outbox()
    /// Bytes that the last write left for the peer, as counted in the loop's ``SharedRoom``.
    final private(set) var waitingBytes = 0
    /// The endpoint to connect to; the owner clears it when it has begun.
    public final var dialing: DialTarget?
    /// The protocols that it offers when it is dialled over TLS, the preferred one first (RFC 7301).
    public final var protocols = ["http/1.1"]
    /// The link that has replaced this one during an event: the owner hands the transport over to it.
    public final var successor: Link?
    /// For the owner's bookkeeping: an object such as a TLS session.
    public final var attachment: AnyObject?
    /// Reference-counted, and immutable, so that its use costs nothing (see ``Borrowed``). ``Gateway/end()`` breaks the
    /// cycle through what the loop keeps.
    final let loop: LoopContext
    /// For the owner's bookkeeping: a descriptor, or an index.
    public final var handle: Int32 = -1
    /// Its index in the registry that keeps it alive while the owner has a transport for it; -1 without.
    final var slot: Int32 = -1
    /// Whether the owner should deliver more input; false is back-pressure.
    public final var wantsRead = true
    /// The corridor waits for the outbox to become short; ``wrote(leaving:)`` reports when no more than half of the
    /// limit waits. Between two writes an outbox may exceed the limit for a moment, so only the corridor knows that it
    /// waits.
    public final private(set) var awaitsDrain = false
    public final var ending = Ending.open
    /// Write the waiting bytes, then half-close and go on reading: a tunnel whose other side has half-closed.
    public final var endsOutput = false
    /// The output of many exchanges is collected when the link is drained, or at the end of the owner's turn.
    public final var fillsOutbox = false
    final var isTouched = false

    public enum Ending: Equatable, Sendable {
        case open
        /// Write the waiting bytes, then close.
        case closing
        /// Write the waiting bytes, half-close, discard input for a while, then close. So no reset, caused by an unread
        /// body, destroys the answer on its way (RFC 9112 §9.6).
        case lingering
        /// Close at once, with a reset if the transport has one.
        case aborted
    }

    init(loop: LoopContext) {
        self.loop = loop
    }

    /// A connection that was dialled is established.
    public func connected() {}

    /// The client has shown a certificate in the handshake, which is verified; called before any other event.
    public func clientIdentified(_ subjects: [CertificateName]) {}

    /// The handshake of a client's TLS connection has agreed on HTTP/2 (RFC 7301).
    public func http2Agreed() {}

    /// Input arrived; `bytes` are valid until the owner has drained the touched links.
    public func received(_ bytes: UnsafeRawBufferPointer) {}

    /// The touched links have been drained since the last input; its memory is about to be reused.
    public func settle() {}

    /// The peer will send no more.
    public func inputClosed() {}

    /// The transport is gone, or was never established; no further event follows.
    public func failed(_ failure: TransportFailure) {}

    /// The outbox has become short after it was too long.
    public func drained() {}

    /// Whether more may be appended to the outbox; if not, ``drained()`` follows.
    final func hasRoom() -> Bool {
        if outbox.count > loop.room.each { awaitsDrain = true }
        return !awaitsDrain
    }

    /// To be called by the owner when it has written as much as it could.
    /// - Parameter bytes: the bytes that still wait for the peer, here or in the transport.
    /// - Returns: whether the link waits for ``drained()``, and the owner has to call it.
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

    /// A write has left more bytes than there is room for; ``drained()`` follows.
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

    /// The last write has left more or fewer bytes than the one before, which left `bytes`.
    func waitingChanged(from bytes: Int) {}

    /// A timer of this link fired.
    func timerFired() {}

    /// Puts pending output into the outbox; called only where ``fillsOutbox``.
    func fillOutbox() {}

    /// The daemon is stopping: a client's connection ends after its running exchanges.
    func drainBegan() {}

    /// The time to finish after ``drainBegan()`` is over.
    func abort() {}

    /// Another link takes over the transport, which the owner hands to it.
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

/// Why a transport ended, as its owner reports it.
public struct TransportFailure: Error, Sendable {
    public var kind: Problem.Kind
    public var detail: String
    /// Whether `detail` is the message of the system or a library, and not a sentence that names the peer.
    private let isReason: Bool

    public init(_ kind: Problem.Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
        isReason = false
    }

    /// - Parameter reason: without a full stop.
    public init(_ kind: Problem.Kind, reason: String) {
        self.kind = kind
        detail = reason
        isReason = true
    }

    /// The problem of this failure where the peer is this upstream.
    func problem(with upstream: String) -> Problem {
        guard isReason else { return Problem(kind, detail: detail) }
        let what = kind == .tlsFailure ? "TLS with '\(upstream)'" : "The connection to '\(upstream)' broke"
        return Problem(kind, detail: "\(what): \(detail).")
    }
}
