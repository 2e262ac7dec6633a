internal import CLinux
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSockets
internal import Glibc

/// A blocking connection, with a deadline for every wait; over TLS where there is a context. It is unusable after a
/// failure. Used by one thread at a time.
public final class BlockingStream {
    /// Why the connection failed, in the system's or the TLS library's words.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        public var description: String
    }

    /// The time at which a wait ends.
    public struct Deadline: Sendable {
        private let end: UInt64
        fileprivate let complaint: String

        /// - Parameter complaint: the message of the failure if the deadline passes.
        public init(in duration: Duration, _ complaint: String) {
            end = MonotonicClock.now() &+ duration.nanosecondsClamped
            self.complaint = complaint
        }

        private init(end: UInt64, _ complaint: String) {
            (self.end, self.complaint) = (end, complaint)
        }

        var isOver: Bool { MonotonicClock.now() >= end }

        /// An equal share of the time left, for each of `count` attempts.
        fileprivate func share(among count: Int) -> Deadline {
            let now = MonotonicClock.now()
            return now < end ? Deadline(end: now + (end - now) / UInt64(count), complaint) : self
        }

        /// Waits until `descriptor` is ready.
        fileprivate func wait(for events: Int, of descriptor: Int32) throws(Failure) {
            while true {
                let now = MonotonicClock.now()
                guard now < end else { throw Failure(description: complaint) }
                var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
                let count = poll(&entry, 1, Int32(min((end - now) / 1_000_000 + 1, 60_000)))
                if count > 0 { return }
                if count < 0, errno != EINTR { throw Failure(description: SystemCall.reason(errno)) }
            }
        }
    }

    private let descriptor: Int32
    private var tls: TLSSession?
    /// Bytes read from the socket for ``tls``.
    private let ciphertext: UnsafeMutableRawBufferPointer

    private static let ciphertextBytes = 16 << 10

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        ciphertext = .allocate(byteCount: Self.ciphertextBytes, alignment: 64)
    }

    deinit {
        if let tls {
            tls.shutdown()
            // Sends the close_notify; a failure no longer matters.
            _ = SystemCall.write(descriptor, tls.outgoing.firstRun)
        }
        close(descriptor)
        ciphertext.deallocate()
    }

    /// Connects to the first address of `host` that answers.
    /// - Parameter tls: the TLS context; the server's certificate has to name `host`. Nil for no TLS.
    public static func connect(
        host: String, port: Int, tls: TLSContext?, by deadline: Deadline
    ) throws(Failure) -> BlockingStream {
        let stream = try connect(try addresses(of: host, port), by: deadline)
        if let tls { try stream.shakeHands(TLSSession(client: tls, serverName: host), by: deadline) }
        return stream
    }

    /// An address that does not answer leaves time for the others.
    static func connect(_ addresses: [SocketAddress], by deadline: Deadline) throws(Failure) -> BlockingStream {
        var failure: Failure?
        for (index, address) in addresses.enumerated() {
            do throws(Failure) {
                return try connect(address, by: deadline.share(among: addresses.count - index))
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? Failure(description: "no address")
    }

    /// The system's resolver has no deadline.
    private static func addresses(of host: String, _ port: Int) throws(Failure) -> [SocketAddress] {
        if let addresses = NameLookup.immediate(host: host, port: port) { return addresses }
        switch NameLookup.system(host: host, port: port) {
        case .success(let addresses): return addresses
        case .failure(let failure): throw Failure(description: "\(host): \(failure)")
        }
    }

    /// Connects to a Unix socket.
    public static func connect(unixPath path: String, by deadline: Deadline) throws(Failure) -> BlockingStream {
        guard let address = SocketAddress(unixPath: path) else {
            throw Failure(description: "\(path) is no path of a socket")
        }
        return try connect(address, by: deadline)
    }

    private static func connect(_ address: SocketAddress, by deadline: Deadline) throws(Failure) -> BlockingStream {
        let domain = address.withSockAddr { address, _ in Int32(address.pointee.sa_family) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(domain, kind, 0)
        guard descriptor >= 0 else { throw Failure(description: SystemCall.reason(errno)) }
        let stream = BlockingStream(descriptor)
        if address.family != .unix { Socket.setNoDelay(descriptor) }
        var code = address.withSockAddr { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
        if code == EINPROGRESS {
            try deadline.wait(for: Int(POLLOUT), of: descriptor)
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        }
        if code != 0 { throw Failure(description: SystemCall.reason(code)) }
        return stream
    }

    private func shakeHands(_ session: TLSSession, by deadline: Deadline) throws(Failure) {
        tls = session
        while true {
            let result = session.handshake()
            try sendOutgoing(session, by: deadline)
            switch result {
            case .done: return
            case .failed(let error): throw Failure(description: "TLS: \(error)")
            case .inProgress: try receiveCiphertext(session, by: deadline)
            }
        }
    }

    // MARK: - Bytes

    /// Sends all of `bytes`.
    public func send(_ bytes: [UInt8], by deadline: Deadline) throws(Failure) {
        var failure: Failure?
        bytes.withUnsafeBytes { bytes in
            do throws(Failure) {
                guard let tls else { return try write(bytes, by: deadline) }
                if case .failed(let error) = tls.write(bytes) { throw Failure(description: "TLS: \(error)") }
                try sendOutgoing(tls, by: deadline)
            } catch {
                failure = error
            }
        }
        if let failure { throw tls.flatMap(refusal) ?? failure }
    }

    /// Waits for some bytes.
    /// - Returns: how many came; 0 at the end.
    public func receive(
        into buffer: UnsafeMutableRawBufferPointer, by deadline: Deadline
    ) throws(Failure) -> Int {
        guard let tls else { return try read(into: buffer, by: deadline) }
        while true {
            switch tls.read(into: buffer) {
            case .bytes(let count): return count
            case .closed: return 0
            case .failed(let error): throw Failure(description: "TLS: \(error)")
            case .wantMore:
                try sendOutgoing(tls, by: deadline)
                try receiveCiphertext(tls, by: deadline)
            }
        }
    }

    /// The alert that the peer sent before it closed: with TLS 1.3 the refusal of a client certificate arrives only
    /// after the client's handshake is done (RFC 8446 §4.4.2.4).
    private func refusal(_ session: TLSSession) -> Failure? {
        while case .bytes(let count) = SystemCall.read(descriptor, into: ciphertext), count > 0 {
            session.receive(UnsafeRawBufferPointer(rebasing: ciphertext[..<count]))
            let result = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { session.read(into: $0) }
            session.settle()
            if case .failed(let error) = result { return Failure(description: "TLS: \(error)") }
        }
        return nil
    }

    private func receiveCiphertext(_ session: TLSSession, by deadline: Deadline) throws(Failure) {
        session.settle()
        let count = try read(into: ciphertext, by: deadline)
        if count == 0 {
            session.receiveEnd()
        } else {
            session.receive(UnsafeRawBufferPointer(rebasing: ciphertext[..<count]))
        }
    }

    private func sendOutgoing(_ session: TLSSession, by deadline: Deadline) throws(Failure) {
        while !session.outgoing.isEmpty {
            let run = session.outgoing.firstRun
            try write(run, by: deadline)
            session.outgoing.consume(run.count)
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, by deadline: Deadline) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            switch SystemCall.write(descriptor, rest) {
            case .bytes(let count): rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .wouldBlock: try deadline.wait(for: Int(POLLOUT), of: descriptor)
            case .failed(let code): throw Failure(description: SystemCall.reason(code))
            }
        }
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer, by deadline: Deadline) throws(Failure) -> Int {
        while true {
            switch SystemCall.read(descriptor, into: buffer) {
            case .bytes(let count): return count
            case .wouldBlock: try deadline.wait(for: Int(POLLIN), of: descriptor)
            case .failed(let code): throw Failure(description: SystemCall.reason(code))
            }
        }
    }
}
