internal import SluiceFiles
internal import SluiceSockets
internal import Glibc

/// Finds the program with a listening socket in proc(5), without connecting, which might start a service.
enum SocketHolder {
    /// A program that listens for another one, and starts it when a client comes; it is systemd, as a rule.
    case activator(String)
    /// A program by its name and process number.
    case program(String, Int)
    /// A process that this user may not see.
    case unseen

    /// - Returns: nil where no program listens at `address`.
    static func of(_ address: SocketAddress) -> SocketHolder? {
        let sockets = address.family == .unix ? unixSockets(address) : internetSockets(address)
        if sockets.isEmpty { return nil }
        let holders = processes(holding: Set(sockets.map { "socket:[\($0.inode)]" }))
        // The daemon has what was handed to it, beside the one that has opened it: then there is nothing to start.
        if let daemon = holders.first(where: { !isActivator($0.name) }) { return .program(daemon.name, daemon.process) }
        if let manager = holders.first { return .activator(manager.name) }
        // Only root sees what systemd has open. It leaves a mark for every unit that is active.
        let mayBeRoots = sockets.contains { ($0.user ?? 0) == 0 }
        return mayBeRoots && access("/run/systemd/units/invocation:sluice.socket", F_OK) == 0
            ? .activator("sluice.socket") : .unseen
    }

    /// `systemd`, and `systemd-socket-activate`, whose name is cut (proc(5), `comm`).
    private static func isActivator(_ name: String) -> Bool { name == "systemd" || name.hasPrefix("systemd-socket") }

    // MARK: - Sockets

    private typealias ListeningSocket = (inode: Substring, user: Int?)

    private static func lines(_ path: String) -> [[Substring]] {
        guard let bytes = try? FileReader.contents(of: path) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map {
            $0.split(separator: " ", omittingEmptySubsequences: true)
        }
    }

    /// Lines of /proc/net/tcp: `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`.
    private static func internetSockets(_ address: SocketAddress) -> [ListeningSocket] {
        guard let wanted = Local(address) else { return [] }
        let listen = "0A"
        return (lines("/proc/net/tcp") + lines("/proc/net/tcp6")).compactMap { columns in
            guard columns.count > 9, columns[3] == listen, let local = Local(columns[1]), local.overlaps(wanted) else {
                return nil
            }
            return (columns[9], Int(columns[7]))
        }
    }

    /// Lines of /proc/net/unix: `num refcount protocol flags type st inode path`, 10000 being SO_ACCEPTCON of the
    /// flags.
    private static func unixSockets(_ address: SocketAddress) -> [ListeningSocket] {
        lines("/proc/net/unix").compactMap { columns in
            guard columns.count > 7, columns[3] == "00010000", columns[7...].joined(separator: " ") == address.path
            else {
                return nil
            }
            return (columns[6], nil)
        }
    }

    /// An address as the kernel prints it: words of 32 bits as they lie in memory, in hexadecimal, and the port.
    private struct Local {
        let host: String
        let port: Int

        init?(_ column: Substring) {
            let parts = column.split(separator: ":")
            guard parts.count == 2, let port = Int(parts[1], radix: 16) else { return nil }
            (host, self.port) = (String(parts[0]), port)
        }

        init?(_ address: SocketAddress) {
            guard let port = address.port else { return nil }
            self.port = port
            host = address.withSockAddr { pointer, length in
                let bytes = UnsafeRawBufferPointer(start: pointer, count: Int(length))
                // sin_addr and sin6_addr: netinet/in.h.
                let place = address.family == .ipv4 ? 4..<8 : 8..<24
                return stride(from: place.lowerBound, to: place.upperBound, by: 4).map { offset in
                    let word = String(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self), radix: 16)
                    return String(repeating: "0", count: 8 - word.count) + word.uppercased()
                }.joined()
            }
        }

        private var isEverywhere: Bool { host.allSatisfy { $0 == "0" } }

        func overlaps(_ other: Local) -> Bool {
            port == other.port && (host == other.host || isEverywhere || other.isEverywhere)
        }
    }

    // MARK: - Processes

    /// Processes that this user may inspect; root may inspect all.
    private static func processes(holding links: Set<String>) -> [(process: Int, name: String)] {
        let numbers = ((try? FolderReader.names(in: "/proc")) ?? []).compactMap { Int($0) }.sorted()
        return numbers.compactMap { number in
            let folder = "/proc/\(number)/fd"
            let holds = ((try? FolderReader.names(in: folder)) ?? []).contains { name in
                link("\(folder)/\(name)").map(links.contains) ?? false
            }
            guard holds, let name = try? FileReader.contents(of: "/proc/\(number)/comm") else { return nil }
            return (number, String(decoding: name.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
    }

    private static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            let count = readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
            return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}
