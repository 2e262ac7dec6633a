import SluiceContract
import SluiceHTTP

@testable import SluiceGateway

/// One end of a connection whose other end is a link of the gateway: what a socket and the program behind it would be.
class Peer {
    private(set) var link: Link
    unowned let bench: Bench
    var reader: MessageReader
    /// How many more bytes this peer takes before it stops reading.
    var window = Int.max
    /// The gateway has ended the connection, or said that it will send no more.
    private(set) var sawEnd = false
    private(set) var sawReset = false
    private(set) var isClosed = false
    /// Most bytes that ever waited for this peer, seen before they were written.
    private(set) var outboxHighWater = 0
    /// It has left something unread.
    private(set) var hasStalled = false
    /// Every byte received, where it is asked for.
    var recordsBytes = false
    private(set) var bytes: [UInt8] = []
    var isConnected = true
    private var unread: [[UInt8]] = []
    private var unreadEnd = false

    init(_ link: Link, _ bench: Bench, reader: MessageReader) {
        self.link = link
        self.bench = bench
        self.reader = reader
        link.attachment = self
    }

    // MARK: - What the peer does

    /// Sends `text` in one piece.
    func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends `bytes` in one piece; waits in the kernel while the gateway does not read.
    func send(_ bytes: [UInt8]) {
        if isClosed || bytes.isEmpty { return }
        unread.append(bytes)
        bench.turn()
    }

    /// Sends `text` in pieces of `size` bytes.
    func send(_ text: String, inPiecesOf size: Int) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            send(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
    }

    /// Says that it will send no more.
    func endInput() {
        if isClosed { return }
        unreadEnd = true
        bench.turn()
    }

    /// The connection breaks; what the gateway has not read is lost.
    func reset() {
        if isClosed { return }
        close()
        link.failed(TransportFailure(.connectionReset, reason: "connection reset by peer"))
        bench.turn()
    }

    /// Takes `more` bytes, of those that wait and those that come.
    func take(_ more: Int) {
        window = window > Int.max - more ? .max : window + more
        bench.flush(self)
        bench.turn()
    }

    /// Bytes that the gateway has not read.
    var unreadCount: Int { unread.reduce(0) { $0 + $1.count } }

    // MARK: - What the owner of the gateway does

    /// Delivers one piece of input, if the gateway reads.
    /// - Returns: whether there was anything to deliver.
    func deliver() -> Bool {
        guard isConnected, !isClosed else { return false }
        if link.ending != .open {
            // Discarded, as a lingering close does (RFC 9112 §9.6).
            unread = []
            return false
        }
        guard link.wantsRead else { return false }
        if unread.isEmpty {
            guard unreadEnd else { return false }
            unreadEnd = false
            link.inputClosed()
            bench.carryOut()
            return true
        }
        var piece = unread.removeFirst()
        if piece.count > bench.gateway.readBytesMax {
            unread.insert(Array(piece[bench.gateway.readBytesMax...]), at: 0)
            piece.removeSubrange(bench.gateway.readBytesMax...)
        }
        let page = bench.gateway.pages.memory
        if piece.count > page.count {
            // Never from a socket; as from elsewhere than a page.
            let input = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
            deliver(piece, in: input)
            input.initializeMemory(as: UInt8.self, repeating: 0xDD)
            input.deallocate()
        } else {
            bench.gateway.pages.readCount = piece.count
            deliver(piece, in: page)
            // Whoever still borrows this now, and has not kept it, shows it.
            if !bench.gateway.pages.turn() {
                UnsafeMutableRawBufferPointer(rebasing: page[..<piece.count]).initializeMemory(
                    as: UInt8.self, repeating: 0xDD)
            }
        }
        return true
    }

    private func deliver(_ piece: [UInt8], in input: UnsafeMutableRawBufferPointer) {
        input.copyBytes(from: piece)
        link.received(UnsafeRawBufferPointer(rebasing: input[..<piece.count]))
        follow()
        bench.carryOut()
        link.settle()
    }

    /// Another link may have taken over.
    func follow() {
        if let successor = link.successor { link = successor }
    }

    /// Writes what the window takes.
    func flush() {
        outboxHighWater = max(outboxHighWater, link.outbox.count)
        while window > 0, !link.outbox.isEmpty {
            let run = UnsafeRawBufferPointer(rebasing: link.outbox.firstRun.prefix(window))
            if recordsBytes { bytes += run }
            reader.feed(run)
            if window != .max { window -= run.count }
            link.outbox.consume(run.count)
        }
        link.outbox.settle(keepingIn: bench.gateway.pages)
        if !link.outbox.isEmpty { hasStalled = true }
    }

    func gatewayEnded(isReset: Bool) {
        if isReset { sawReset = true } else { sawEnd = true }
        reader.end(isClean: !isReset)
        close()
    }

    func close() {
        isClosed = true
        link.closed()
        link.attachment = nil
        unread = []
    }
}

/// A client of the gateway.
final class ClientPeer: Peer {
    /// Answers so far; the last one may be incomplete.
    var answers: [Message] { reader.messages }

    /// Sends a request; its answer is awaited.
    func request(_ text: String, inPiecesOf size: Int = .max) {
        expect(String(text.prefix { $0 != " " }))
        send(text, inPiecesOf: size)
    }

    /// Sends a request without a body.
    func request(_ method: String, _ target: String, _ fields: String...) {
        request("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Sends a request with a body.
    func request(_ method: String, _ target: String, type: String, body: String) {
        request(
            "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    func expect(_ method: String) { reader.awaited?.append(method) }
}

/// A connection to an upstream that the gateway has dialled.
final class OriginPeer: Peer {
    let endpoint: DialTarget
    /// The gateway has stopped dialling, or the connection was refused.
    var isRefused = false

    init(_ link: Link, _ bench: Bench, _ endpoint: DialTarget) {
        self.endpoint = endpoint
        super.init(link, bench, reader: MessageReader())
        isConnected = false
    }

    /// The name of its upstream.
    var upstream: String { endpoint.settings.name }

    /// Requests so far; the last one may be incomplete.
    var requests: [Message] { reader.messages }

    func connect() {
        if isConnected || isClosed { return }
        isConnected = true
        if isSecure, bench.originsSpeakHTTP2, link.protocols.contains("h2") { link.http2Agreed() }
        follow()
        link.connected()
        follow()
        bench.turn()
    }

    private var isSecure: Bool {
        if case .tcp(_, _, tls: true) = endpoint.origin { return true }
        return false
    }

    func refuse(_ kind: Problem.Kind = .connectionRefused, _ detail: String = "Connection refused") {
        refuse(TransportFailure(kind, detail))
    }

    func refuse(_ failure: TransportFailure) {
        if isConnected || isClosed { return }
        isRefused = true
        close()
        link.failed(failure)
        bench.turn()
    }

    /// Sends an answer with a body of known length.
    func answer(_ status: Int, _ fields: String..., body: String = "") {
        send(
            "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n" + fields.map { $0 + "\r\n" }.joined()
                + "\r\n\(body)")
    }

    /// Sends a JSON answer.
    func answer(json: String) { answer(200, "Content-Type: application/json", body: json) }
}
