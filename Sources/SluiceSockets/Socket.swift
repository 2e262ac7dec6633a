internal import Glibc

/// Sockets and their options.
package enum Socket {
    package static func setNoDelay(_ descriptor: Int32) {
        var on: Int32 = 1
        // Fails on Unix sockets, which have no such delay.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes that the kernel takes for a peer beyond what is on its way.
    private static let unsentMax: Int32 = 128 << 10

    /// A peer that reads nothing otherwise fills the kernel's buffer of up to 4 MiB before it holds anything up, and
    /// what TCP may use in all is shared by the whole machine. One that reads slowly would be seen to do so in steps as
    /// large. Connections inherit it from the listening socket they come from.
    package static func boundUnsent(_ descriptor: Int32) {
        var most = unsentMax
        // Fails on Unix sockets, whose buffer is small.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &most, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Between two programs of one host nothing is lost and nothing queues on the way, so that the least congestion
    /// control is the best: what paces (BBR, which many systems have as their default) sets a timer for every burst.
    /// Every kernel has Reno, and every process may choose it. Connections inherit it from the socket they come from.
    package static func setLocal(_ descriptor: Int32) {
        let name: StaticString = "reno"
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, name.utf8Start, socklen_t(name.utf8CodeUnitCount))
    }

    /// A socket that never blocks, of the family of `address`, which it will be bound or connected to; negative with
    /// errno where there can be none.
    package static func make(for address: SocketAddress) -> Int32 {
        let family =
            switch address.family {
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            case .unix: AF_UNIX
            }
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if descriptor >= 0, address.isLoopback { setLocal(descriptor) }
        if descriptor >= 0, address.family == .unix { refuseDescriptors(descriptor) }
        return descriptor
    }

    /// Removes a socket file that nobody listens on: it is left over from a process that was killed. Anything else that
    /// has the path stays.
    package static func removeStale(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
            let address = SocketAddress(unixPath: path)
        else { return }
        // It never blocks: a listener whose queue is full is alive.
        let probe = make(for: address)
        defer { close(probe) }
        let isAlive = address.withSockAddr { connect(probe, $0, $1) } == 0
        if !isAlive, errno == ECONNREFUSED { unlink(path) }
    }

    /// Peers of a Unix socket may send descriptors (unix(7), SCM_RIGHTS). Nobody wants them, and whoever reads closes
    /// them, which may take as long as the peer likes: a lingering socket, a file of a dead mount. So whoever sends one
    /// gets EPERM, where the kernel can say so (SO_PASSRIGHTS, Linux 6.16). Connections inherit it from their listener.
    package static func refuseDescriptors(_ descriptor: Int32) {
        var off: Int32 = 0
        setsockopt(descriptor, SOL_SOCKET, passRights, &off, socklen_t(MemoryLayout<Int32>.size))
    }

    /// SO_PASSRIGHTS; the headers of older systems do not have it.
    private static let passRights: Int32 = 83
}
