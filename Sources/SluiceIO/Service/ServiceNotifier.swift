internal import SluiceSockets
internal import Glibc

/// Reports the daemon's state to the service manager: the protocol of sd_notify(3), datagrams of `KEY=value` lines.
///
/// Nothing here fails loudly: a service manager that does not listen is no reason to stop serving. A send waits while
/// the manager is behind, so call from anywhere but a loop.
public struct ServiceNotifier: Sendable {
    private let address: SocketAddress

    /// - Parameter address: `$NOTIFY_SOCKET`, an absolute path or `@` and the name of an abstract socket.
    init?(address: String) {
        guard address.hasPrefix("/") || address.hasPrefix("@"), let address = SocketAddress(unixPath: address) else {
            return nil
        }
        self.address = address
    }

    /// Started, or done with reloading.
    public func ready(status: String) {
        send("READY=1\nSTATUS=\(Self.line(status))")
    }

    /// Reloading began; ``ready(status:)`` ends it.
    /// - Parameter now: CLOCK_MONOTONIC in nanoseconds, by which `Type=notify-reload` tells this reload from the last.
    public func reloading(at now: UInt64) {
        send("RELOADING=1\nMONOTONIC_USEC=\(now / 1000)")
    }

    public func stopping(status: String) {
        send("STOPPING=1\nSTATUS=\(Self.line(status))")
    }

    /// One line for people, shown by `systemctl status`.
    public func status(_ text: String) {
        send("STATUS=\(Self.line(text))")
    }

    /// Still alive.
    public func watchdog() {
        send("WATCHDOG=1")
    }

    /// A line break would begin another assignment.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    private func send(_ message: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var message = message
        message.withUTF8 { bytes in
            _ = address.withSockAddr { address, length in
                sendto(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
