internal import SluiceSockets
internal import Glibc

/// The socket of a connection: how it comes to be connected, and what the loop watches it for.
struct ClientSocket {
    private enum Stage {
        case unconnected
        case connecting
        /// The connection is not accepted yet.
        case refused(again: UInt64)
        case open
        case closed
    }

    private let loop: ClientLoop
    /// Those that have not been tried.
    private var addresses: ArraySlice<SocketAddress> = []
    private var current: SocketAddress?
    private var stage = Stage.unconnected
    private var descriptor: Int32 = -1
    private var registration: UInt32 = 0
    private var interest: Poller.Interest = []
    /// A Unix socket whose queue is full says so at once, and nothing tells when it no longer is (unix(7)).
    private static let againNanoseconds: UInt64 = 5_000_000

    init(_ loop: ClientLoop) {
        self.loop = loop
    }

    /// These can be tried.
    mutating func found(_ addresses: [SocketAddress]) { self.addresses = addresses[...] }

    /// How many more addresses there are.
    var untried: Int { addresses.count }

    /// The current address does not answer.
    mutating func giveUpAddress() {
        release()
        stage = .unconnected
    }

    var isOpen: Bool {
        if case .open = stage { true } else { false }
    }

    var isClosed: Bool {
        if case .closed = stage { true } else { false }
    }

    /// When to connect again; `.max` where that is not needed.
    var triesAgainAt: UInt64 {
        if case .refused(let again) = stage { again } else { .max }
    }

    enum Step {
        case connected
        case inProgress
        /// No address is left.
        case failed(String)
    }

    /// Begins to connect, or goes on.
    mutating func connect(_ owner: ClientConnection) -> Step {
        var reason = "it has no address"
        switch stage {
        case .open: return .connected
        case .closed: return .failed("the connection is closed")
        case .unconnected: break
        case .connecting:
            let code = pendingError()
            if code == 0 { return opened() }
            reason = failed(code)
        case .refused:
            if let step = judge(tryConnect(), &reason) { return step }
        }
        while let address = addresses.popFirst() {
            current = address
            descriptor = Socket.make(for: address)
            if descriptor < 0 {
                reason = "\(address): \(SystemCall.reason(errno))"
                continue
            }
            if address.family != .unix { Socket.setNoDelay(descriptor) }
            registration = loop.register(owner)
            if let step = judge(tryConnect(), &reason) { return step }
        }
        return .failed(reason)
    }

    private func tryConnect() -> Int32 {
        guard let current else { return EDESTADDRREQ }
        return current.withSockAddr { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
    }

    /// - Returns: nil where another address is to be tried.
    private mutating func judge(_ code: Int32, _ reason: inout String) -> Step? {
        switch code {
        case 0: return opened()
        case EINPROGRESS, EINTR:
            stage = .connecting
            return .inProgress
        case EAGAIN:
            stage = .refused(again: MonotonicClock.now() &+ Self.againNanoseconds)
            return .inProgress
        default:
            reason = failed(code)
            return nil
        }
    }

    private mutating func opened() -> Step {
        stage = .open
        return .connected
    }

    private mutating func failed(_ code: Int32) -> String {
        release()
        stage = .unconnected
        return "\(current?.description ?? ""): \(SystemCall.reason(code))"
    }

    private func pendingError() -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }

    // MARK: - Bytes

    func read(into page: UnsafeMutableRawBufferPointer) -> SystemCall.Outcome {
        SystemCall.read(descriptor, into: page)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> SystemCall.Outcome {
        SystemCall.write(descriptor, bytes)
    }

    /// Whether the gateway has closed the connection, or said something unasked, and the loop has not got to it yet.
    func hasNews() -> Bool {
        var byte: UInt8 = 0
        // Any error but this one is the connection's end.
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    // MARK: - The loop

    /// Tells the loop what to wait for.
    /// - Returns: errno, or 0.
    mutating func watch(reading: Bool, writing: Bool) -> Int32 {
        let wanted: Poller.Interest =
            switch stage {
            case .unconnected, .refused, .closed: []
            case .connecting: .write
            case .open: (reading ? Poller.Interest.read : []).union(writing ? Poller.Interest.write : [])
            }
        if wanted == interest || isClosed { return 0 }
        defer { interest = wanted }
        return loop.watch(descriptor, registration, from: interest, to: wanted)
    }

    mutating func close() {
        release()
        stage = .closed
    }

    /// A descriptor that is closed is not watched any more (epoll(7)).
    private mutating func release() {
        guard descriptor >= 0 else { return }
        loop.forget(registration)
        Glibc.close(descriptor)
        descriptor = -1
        interest = []
    }
}
