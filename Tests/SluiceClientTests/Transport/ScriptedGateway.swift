import Glibc
import Synchronization
import TestFiles

@testable import SluiceClient

/// A gateway on a Unix socket whose connections are served by a script, each on a thread of its own.
final class ScriptedGateway: Sendable {
    private let folder: TemporaryDirectory
    let path: String
    private let listener: Int32
    private let accepted = Count()

    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    var address: GatewayAddress {
        get throws { try GatewayAddress("unix:\(path)") }
    }

    /// How many connections there have been.
    var connections: Int { accepted.value.load(ordering: .acquiring) }

    /// - Parameter serve: is told which connection it has, counted from 0; the connection ends when it returns.
    init(_ serve: @escaping @Sendable (ScriptedPeer, Int) throws -> Void) throws {
        folder = try TemporaryDirectory()
        path = folder.path + "/gateway.sock"
        listener = Self.listen(path)
        let listener = listener
        let accepted = accepted
        Self.thread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                // A process that another test starts would hold the connection open.
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                let number = accepted.value.add(1, ordering: .acquiringAndReleasing).oldValue
                Self.thread {
                    let peer = ScriptedPeer(descriptor)
                    try? serve(peer, number)
                    peer.end()
                }
            }
        }
    }

    /// Answers every request with what `answer` says of its head.
    convenience init(answering answer: @escaping @Sendable (String) -> String) throws {
        try self.init { peer, _ in
            while let request = peer.request() { peer.write(answer(request)) }
        }
    }

    deinit { stop() }

    /// Nobody is accepted any more.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    static func listen(_ path: String, backlog: Int32 = 4096) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let isListening = withAddress(path) { bind(descriptor, $0, $1) == 0 } && Glibc.listen(descriptor, backlog) == 0
        precondition(isListening, "no socket at \(path)")
        return descriptor
    }

    static func connect(_ path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        precondition(withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 }, "nobody at \(path)")
        return descriptor
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    static func thread(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(body)).toOpaque()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, start)
        precondition(code == 0)
    }
}

/// One connection as a script sees it. Its calls wait.
final class ScriptedPeer {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isEnded = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next head, with its empty line; nil where the client has closed.
    func request() -> String? {
        while true {
            if let end = headEnd {
                defer { buffer.removeFirst(end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            guard fill() else { return nil }
        }
    }

    private var headEnd: Int? {
        guard buffer.count >= 4 else { return nil }
        return (4...buffer.count).first { buffer[$0 - 4..<$0].elementsEqual("\r\n\r\n".utf8) }
    }

    /// So many bytes of content; fewer where the client has closed.
    func content(_ count: Int) -> String {
        while buffer.count < count, fill() {}
        defer { buffer.removeFirst(min(count, buffer.count)) }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Everything up to and including `text`; what there was where the client has closed.
    func content(upTo text: String) -> String {
        while true {
            let seen = String(decoding: buffer, as: UTF8.self)
            if let range = seen.firstRange(of: text) {
                let part = String(seen[..<range.upperBound])
                buffer.removeFirst(part.utf8.count)
                return part
            }
            guard fill() else { return seen }
        }
    }

    /// Waits until the client closes.
    func awaitEnd() {
        while fill() { buffer = [] }
    }

    private func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }

    /// - Returns: whether the client took it.
    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until the client has read everything that was written.
    func awaitRead() {
        var left: Int32 = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &left) == 0, left > 0 { sched_yield() }
    }

    /// What the client writes from now on fails (EPIPE); it can still be answered.
    func readNoMore() { shutdown(descriptor, Int32(SHUT_RD)) }

    /// How much the client can be sent before it takes any of it: the socket's buffers.
    func writeUntilFull(_ piece: [UInt8]) -> Int {
        var total = 0
        while true {
            let count = send(
                descriptor, piece, piece.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            guard count > 0 else { return total }
            total += count
        }
    }

    func end() {
        if isEnded { return }
        isEnded = true
        close(descriptor)
    }
}
