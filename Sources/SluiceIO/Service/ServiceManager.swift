public import SluiceSockets
internal import Glibc

/// Settings from the service manager (systemd): where it takes notifications, whether it wants watchdog signals, and
/// which sockets it opened for us.
public struct ServiceManager: Sendable {
    /// Nil where the service manager wants no notifications.
    public let notifier: ServiceNotifier?
    /// Nanoseconds within which ``ServiceNotifier/watchdog()`` has to be heard; call it twice as often. Nil where there
    /// is no watchdog.
    public let watchdogInterval: UInt64?
    public let sockets: [InheritedSocket]

    private static let names = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]

    /// Reads the environment of this process and takes the variables out of it, so that no child believes they were
    /// meant for it. Call once, before there are other threads.
    public static func fromEnvironment() -> ServiceManager {
        var variables: [String: String] = [:]
        for name in names {
            guard let value = getenv(name) else { continue }
            variables[name] = String(cString: value)
            unsetenv(name)
        }
        return ServiceManager(variables: variables, processID: getpid())
    }

    /// - Parameter firstDescriptor: SD_LISTEN_FDS_START of sd_listen_fds(3).
    init(variables: [String: String], processID: Int32, firstDescriptor: Int32 = 3) {
        notifier = variables["NOTIFY_SOCKET"].flatMap { ServiceNotifier(address: $0) }
        watchdogInterval = Self.watchdog(variables, processID)
        sockets = Self.inherited(variables, processID, firstDescriptor)
    }

    /// sd_watchdog_enabled(3): without WATCHDOG_PID it is meant for whoever reads it.
    private static func watchdog(_ variables: [String: String], _ processID: Int32) -> UInt64? {
        guard let microseconds = variables["WATCHDOG_USEC"].flatMap({ UInt64($0) }), microseconds > 0,
            microseconds <= .max / 1000
        else { return nil }
        if let intended = variables["WATCHDOG_PID"], Int32(intended) != processID { return nil }
        return microseconds * 1000
    }

    /// sd_listen_fds(3): only with a LISTEN_PID that is ours.
    private static func inherited(
        _ variables: [String: String], _ processID: Int32, _ first: Int32
    ) -> [InheritedSocket] {
        guard let intended = variables["LISTEN_PID"].flatMap({ Int32($0) }), intended == processID,
            let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0, count < 1024
        else { return [] }
        let names = variables["LISTEN_FDNAMES"].map { $0.split(separator: ":", omittingEmptySubsequences: false) } ?? []
        return (0..<count).compactMap { index in
            let descriptor = first + index
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0 else { return nil }
            _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC)
            let name = Int(index) < names.count ? String(names[Int(index)]) : "unknown"
            guard isListening(descriptor) else { return InheritedSocket(descriptor: descriptor, name: name) }
            // A connection that another process accepts first must not make our accept wait.
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            return InheritedSocket(descriptor: descriptor, name: name, address: SocketAddress(localOf: descriptor))
        }
    }

    private static func isListening(_ descriptor: Int32) -> Bool {
        var answer: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &answer, &length) == 0 && answer != 0
    }
}

/// A socket that the service manager opened.
public struct InheritedSocket: Hashable, Sendable {
    public let descriptor: Int32
    /// `FileDescriptorName=` of the socket unit, by default the unit's name.
    public let name: String
    /// Where it listens; nil for what isn't a listening socket.
    public var address: SocketAddress?
}

extension ServiceManager {
    /// The inherited socket that listens where `address` says, ready for a loop: it doesn't block and no child inherits
    /// it. Nil where there is none.
    public func socket(for address: SocketAddress) -> InheritedSocket? {
        sockets.first { $0.address == address }
    }
}
