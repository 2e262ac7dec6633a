import Glibc

/// A listening socket on 127.0.0.1.
final class Listener: @unchecked Sendable {
    let descriptor: Int32
    let port: UInt16

    /// - Parameters:
    ///   - wanted: the port; 0 lets the kernel choose.
    init(port wanted: UInt16 = 0, backlog: Int32 = 64) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let bound = LoopbackAddress(port: wanted).withSocketAddress { bind(descriptor, $0, $1) }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
        guard bound == 0, named == 0, listen(descriptor, backlog) == 0 else {
            throw HarnessError("listen: \(errorText())")
        }
    }

    deinit {
        close(descriptor)
    }

    /// The next connection; nil once the listener has been ended.
    func accept() -> Connection? {
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, -1) > 0 || errno == EINTR else { return nil }
            let connected = Spawn.withoutSpawning {
                let connected = Glibc.accept(descriptor, nil, nil)
                _ = fcntl(connected, F_SETFD, FD_CLOEXEC)
                return connected
            }
            if connected >= 0 {
                var on: Int32 = 1
                setsockopt(connected, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
                return Connection(descriptor: connected)
            }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    /// Wakes whoever waits in ``accept()``.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
