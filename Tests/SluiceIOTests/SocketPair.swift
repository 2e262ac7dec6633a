import Glibc

/// Two ends of a connection: one for a loop, one for the test.
final class SocketPair {
    enum Family: CaseIterable, Sendable { case unix, tcp }

    /// Never blocks; whoever gets it closes it.
    let ours: Int32
    private var theirs: Int32

    /// Processes that other tests start do not inherit it: their end would stay open there.
    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    init(_ family: Family) throws(SocketFailure) {
        switch family {
        case .unix:
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Self.kind, 0, &ends) == 0 else { throw SocketFailure() }
            (ours, theirs) = (ends[0], ends[1])
        case .tcp: (ours, theirs) = try Self.loopback()
        }
        _ = fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK)
    }

    deinit { if theirs >= 0 { close(theirs) } }

    private static func loopback() throws(SocketFailure) -> (Int32, Int32) {
        let listener = socket(AF_INET, kind, 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let theirs = socket(AF_INET, kind, 0)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
                    && connect(theirs, $0, length) == 0
            }
        }
        let ours = accept(listener, nil, nil)
        _ = fcntl(ours, F_SETFD, FD_CLOEXEC)
        guard isConnected, ours >= 0 else { throw SocketFailure() }
        return (ours, theirs)
    }

    func send(_ bytes: [UInt8]) -> Bool { Glibc.send(theirs, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count }

    /// Sends a descriptor along (unix(7), SCM_RIGHTS).
    func send(_ bytes: [UInt8], with descriptor: Int32) -> Bool {
        var bytes = bytes
        // A header of 16 bytes, the descriptor, and padding.
        let kind = UInt64(UInt32(SOL_SOCKET)) | UInt64(UInt32(1)) << 32
        var control: [UInt64] = [20, kind, UInt64(UInt32(bitPattern: descriptor))]
        return bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    message.msg_iov = vector
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(theirs, &message, Int32(MSG_NOSIGNAL)) == bytes.count
                }
            }
        }
    }

    func halfClose() { shutdown(theirs, Int32(SHUT_WR)) }

    func end() {
        close(theirs)
        theirs = -1
    }

    /// Their end, which the test closes from now on.
    func takeTheirs() -> Int32 {
        defer { theirs = -1 }
        return theirs
    }
}

struct SocketFailure: Error {}
