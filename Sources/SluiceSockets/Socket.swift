internal import Glibc

/// Sockets and their options.
package enum Socket {
    package static func setNoDelay(_ descriptor: Int32) {
        var on: Int32 = 1
        // Fails on Unix sockets, which have no such delay.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The most bytes that the kernel accepts for a peer beyond those in flight.
    private static let unsentMax: Int32 = 128 << 10

    /// Limits the unsent bytes in the kernel's buffer. Otherwise a peer that reads nothing fills up to 4 MiB of it
    /// before writes block, and all of TCP's memory is shared by the whole machine; and the progress of a slow reader
    /// would show only in steps of that size. Connections inherit the option from their listening socket.
    package static func boundUnsent(_ descriptor: Int32) {
        var most = unsentMax
        // Fails on Unix sockets, whose buffer is small.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &most, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Chooses the congestion control for peers on this host, where nothing is lost and nothing queues on the way: the
    /// simplest is the best. One that paces (BBR, the default of many systems) sets a timer for every burst. Every
    /// kernel has Reno, and every process may choose it. Connections inherit the option from their listening socket.
    package static func setLocal(_ descriptor: Int32) {
        let name: StaticString = "reno"
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_CONGESTION, name.utf8Start, socklen_t(name.utf8CodeUnitCount))
    }

    /// What ``widenWindow(_:)`` asks for: more than a peer's kernel holds unsent (tcp(7), tcp_wmem: 4 MiB). The kernel
    /// gives half of tcp_rmem at most.
    private static let windowByteCount: Int32 = 8 << 20

    /// Lets a peer on this host send all that it has. The kernel begins with a small window, and extends it only for
    /// a reader that is faster than the peer. Where that is the other way round, each read opens the window by as much
    /// as it took, and what that lets the peer send is sent on the reader's time.
    ///
    /// A process may extend the receive buffer, beyond the limit of SO_RCVBUF and with the kernel free to extend it
    /// further, by asking to be woken only for that much (SO_RCVLOWAT, Linux 4.18), which is then taken back.
    package static func widenWindow(_ descriptor: Int32) {
        for count in [windowByteCount, 1] {
            var least = count
            setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &least, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// A non-blocking socket of the family of `address`, to which it will be bound or connected; negative where it
    /// cannot be made, with errno set.
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

    /// Removes a socket file that no process listens on, left over from a process that was killed. Any other file at
    /// the path stays.
    package static func removeStale(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
            let address = SocketAddress(unixPath: path)
        else { return }
        // The probe never blocks: a listener whose queue is full counts as alive.
        let probe = make(for: address)
        defer { close(probe) }
        let isAlive = address.withSockAddr { connect(probe, $0, $1) } == 0
        if !isAlive, errno == ECONNREFUSED { unlink(path) }
    }

    /// Peers of a Unix socket may send descriptors (unix(7), SCM_RIGHTS). They are of no use here, and the receiver has
    /// to close them, which may take as long as the peer likes: a lingering socket, a file of a dead mount. So a peer
    /// that sends one gets EPERM, where the kernel supports that (SO_PASSRIGHTS, Linux 6.16). Connections inherit the
    /// option from their listener.
    package static func refuseDescriptors(_ descriptor: Int32) {
        var off: Int32 = 0
        setsockopt(descriptor, SOL_SOCKET, passRights, &off, socklen_t(MemoryLayout<Int32>.size))
    }

    /// SO_PASSRIGHTS; the headers of older systems do not have it.
    private static let passRights: Int32 = 83
}
