internal import SluiceFiles
internal import SluiceHTTP
internal import SluiceIO
internal import SluiceSockets
internal import Glibc

/// A connected socket with blocking calls, for verbs that do one thing at a time. Closed with the object.
final class StreamSocket: Sendable {
    private let descriptor: Int32

    /// Takes `descriptor` over.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Why there is no connection; `description` is for people.
    struct Failure: Error, CustomStringConvertible {
        var description: String
        /// Whether no connection was made at all.
        var isUnconnected = false
        /// Whether this user may not connect.
        var isDenied = false
    }

    /// Connects.
    /// - Parameter seconds: the limit on connecting and on every later call; 0 is none.
    init(to address: SocketAddress, seconds: Int) throws(Failure) {
        let family =
            switch address.family {
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            case .unix: AF_UNIX
            }
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { throw Failure(description: "no socket: \(String(cString: strerror(errno)))") }
        setTimeout(seconds: seconds)
        guard address.withSockAddr({ connect(descriptor, $0, $1) }) == 0 else {
            let code = errno
            let reason = code == EINPROGRESS ? "no answer in time" : Self.reason(code, address)
            throw Failure(description: "\(address): \(reason)", isUnconnected: true, isDenied: code == EACCES)
        }
    }

    /// "No such file or directory" does not tell which of the two is missing.
    private static func reason(_ code: Int32, _ address: SocketAddress) -> String {
        if code == ENOENT, let path = address.path, !path.hasPrefix("@") {
            let folder = SystemCheckup.parent(path)
            if FileKind(path: folder) == nil { return "the folder '\(folder)' is not there" }
        }
        return String(cString: strerror(code))
    }

    deinit { close(descriptor) }

    /// A read or write that takes longer fails (socket(7): SO_RCVTIMEO also limits connecting).
    func setTimeout(seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// - Returns: bytes read; 0 at the end, nil where the connection failed or the time is over.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { return nil }
        }
    }

    /// Reads with a deadline that single bytes do not extend.
    /// - Parameter deadline: in nanoseconds of ``MonotonicClock``.
    func read(into buffer: UnsafeMutableRawBufferPointer, before deadline: UInt64) -> Int? {
        while true {
            let now = MonotonicClock.now()
            guard now < deadline else { return nil }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&ready, 1, Int32(clamping: (deadline - now) / 1_000_000 + 1))
            if count > 0 { return read(into: buffer) }
            if count < 0, errno != EINTR { return nil }
        }
    }

    /// What ``wait(watching:milliseconds:)`` has waited for.
    enum Waited {
        case input
        /// The watched socket has been closed by its peer.
        case watchedEnded
        case nothing
    }

    /// Waits for something to read, or for its end.
    /// - Parameters:
    ///   - other: a socket without further input, which is watched for its end.
    ///   - milliseconds: -1 is no limit.
    func wait(watching other: StreamSocket?, milliseconds: Int32) -> Waited {
        // A descriptor below 0 is not looked at (poll(2)).
        var ready = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let count = poll(&ready, 2, milliseconds)
            if count < 0, errno == EINTR { continue }
            if ready[0].revents != 0 { return .input }
            if count <= 0 { return .nothing }
            if other?.isEnded == true { return .watchedEnded }
            // The watched socket has input after all.
            ready[1].fd = -1
        }
    }

    /// Whether the other side has closed; to be asked where there is something to read.
    private var isEnded: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) <= 0
    }

    /// Writes everything.
    /// - Returns: whether that worked; the outbox is empty then.
    func write(_ outbox: inout Outbox) -> Bool {
        while !outbox.isEmpty {
            let run = outbox.firstRun
            let count = send(descriptor, run.baseAddress, run.count, Int32(MSG_NOSIGNAL))
            if count >= 0 {
                outbox.consume(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Closing will send a reset in place of an orderly end.
    func resetWhenClosed() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
