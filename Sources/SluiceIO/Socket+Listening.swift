internal import CLinux
internal import SluiceContract
internal import SluiceGateway
internal import SluiceSockets
internal import Glibc

/// Listening sockets, and the credentials of their clients.
extension Socket {
    /// A listener that could not be opened.
    struct ListenFailure: Error, CustomStringConvertible {
        var address: Listener.Address
        var code: Int32
        /// Where the configuration says it.
        var key = "listen"
        /// An address of this daemon's own that is in the way.
        var own: Listener.Address?

        /// By another program.
        var isInUse: Bool { code == EADDRINUSE && own == nil }

        var description: String {
            if let own {
                return "\(address) overlaps \(own), where this daemon listens: that change takes a restart"
            }
            return switch code {
            case EADDRINUSE: "\(address) is in use by another program; choose another address under '\(key):'"
            case ENOENT where address.isUnix: "\(address) has no folder to be in; make it, or change '\(key):'"
            case EACCES where address.isUnix:
                "\(address) may not be made by this user; see who may write to its folder, or change '\(key):'"
            case EACCES: "\(address) may not be opened by this user; ports below 1024 need privileges"
            default: "\(address) could not be opened: \(SystemCall.reason(code))"
            }
        }
    }

    static let backlog: Int32 = 4096

    /// User and groups of the peer of a Unix socket; nil where the system does not tell them.
    static func peerCredentials(_ descriptor: Int32) -> PeerCredentials? {
        var user: UInt32 = 0
        var group: UInt32 = 0
        guard clinux_peer_credentials(descriptor, &user, &group) == 0 else { return nil }
        return PeerCredentials(user: user, group: group, groups: peerGroups(descriptor))
    }

    private static func peerGroups(_ descriptor: Int32) -> [UInt32] {
        let few = 32
        var groups = [UInt32](repeating: 0, count: few)
        var count = Int(clinux_peer_groups(descriptor, &groups, Int32(groups.count)))
        if count > few {
            groups = [UInt32](repeating: 0, count: count)
            count = Int(clinux_peer_groups(descriptor, &groups, Int32(groups.count)))
        }
        return Array(groups.prefix(max(0, count)))
    }

    /// Opens a listening socket.
    /// - Parameter isShared: with `SO_REUSEPORT`, so that every loop can have its own.
    static func listen(_ listener: Listener, isShared: Bool) throws(ListenFailure) -> Int32 {
        try opened(listener, isShared: isShared).descriptor
    }

    /// Opens a listening socket; a Unix socket has a file.
    static func opened(
        _ listener: Listener, isShared: Bool = false
    ) throws(ListenFailure) -> (descriptor: Int32, file: SocketFile?) {
        if case .unix(let path) = listener.address { removeStale(path) }
        let descriptor = try bound(listener, isShared: isShared)
        var file: SocketFile?
        var isReady = true
        if case .unix(let path) = listener.address {
            file = SocketFile(path)
            // Before it listens: until then nobody can connect, whatever the umask left open.
            isReady = file != nil && chmod(path, mode_t(listener.mode)) == 0
        }
        guard isReady, Glibc.listen(descriptor, backlog) == 0 else {
            let code = errno
            // While the socket is open: then the file is known to be its own.
            file?.remove()
            close(descriptor)
            throw ListenFailure(address: listener.address, code: code)
        }
        return (descriptor, file)
    }

    /// Opens `count` sockets that share an address, or none.
    static func listen(_ listener: Listener, count: Int) throws(ListenFailure) -> [Int32] {
        var listener = listener
        var descriptors: [Int32] = []
        do throws(ListenFailure) {
            for _ in 0..<count {
                let descriptor = try listen(listener, isShared: true)
                descriptors.append(descriptor)
                // Port 0 is any free one: the first socket finds it, and the others share it.
                if case .tcp(let host, 0) = listener.address, let port = SocketAddress(localOf: descriptor)?.port {
                    listener.address = .tcp(host: host, port: port)
                }
            }
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
        return descriptors
    }

    /// A socket that has the address of `listener`, and does not listen yet.
    private static func bound(_ listener: Listener, isShared: Bool) throws(ListenFailure) -> Int32 {
        guard let address = SocketAddress(listener.address) else {
            throw ListenFailure(address: listener.address, code: EINVAL)
        }
        let descriptor = make(for: address)
        guard descriptor >= 0 else { throw ListenFailure(address: listener.address, code: errno) }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        if case .tcp = listener.address {
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
            if isShared { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, size) }
            boundUnsent(descriptor)
        }
        guard address.withSockAddr({ bind(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw ListenFailure(
                address: listener.address, code: code, key: listener.purpose == .bindings ? "listen" : "admin")
        }
        return descriptor
    }

    /// Sets the options of a listening socket that was inherited, as those of our own have them.
    static func prepare(inherited descriptor: Int32) {
        boundUnsent(descriptor)
        let address = SocketAddress(localOf: descriptor)
        if address?.isLoopback == true { setLocal(descriptor) }
        if address?.family == .unix { refuseDescriptors(descriptor) }
    }

    /// Whether `descriptor` is a socket bound to `address`.
    static func isBound(_ descriptor: Int32, to address: Listener.Address) -> Bool {
        guard let own = SocketAddress(localOf: descriptor) else { return false }
        return own == SocketAddress(address)
    }

    /// Whether an address could be listened on now. A bound socket finds that out, and takes no connection that would
    /// be reset when it closes.
    /// - Parameter own: listeners of this process.
    static func probe(_ listener: Listener, beside own: [Listener] = []) -> ListenFailure? {
        if listener.address.isUnix { return nil }
        do throws(ListenFailure) {
            close(try bound(listener, isShared: false))
            return nil
        } catch {
            var failure = error
            if error.isInUse { failure.own = own.map(\.address).first { $0.overlaps(listener.address) } }
            return failure
        }
    }
}

extension Listener.Address {
    var isUnix: Bool {
        if case .unix = self { true } else { false }
    }

    /// Whether one of the two is a wildcard address (`0.0.0.0`, `[::]`) that covers the other. `[::]` takes IPv4, too
    /// (ipv6(7), IPV6_V6ONLY).
    fileprivate func overlaps(_ other: Self) -> Bool {
        guard let one = SocketAddress(self), let two = SocketAddress(other), let port = one.port, port == two.port
        else { return false }
        if one.host == "::" || two.host == "::" { return true }
        return one.family == two.family && (one.host == "0.0.0.0" || two.host == "0.0.0.0")
    }
}
