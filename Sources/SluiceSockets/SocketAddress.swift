public import SluiceContract
public import Glibc

/// The address of a socket: an IPv4 or IPv6 address with a port, or the path of a Unix socket.
public struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length: socklen_t = 0

    public enum Family: Hashable, Sendable {
        case ipv4, ipv6, unix
    }

    /// A literal address; IPv6 with or without brackets, with or without a zone (`fe80::1%eth0`). Nil for anything
    /// else, names included.
    public init?(literal: String, port: Int) {
        guard let port = UInt16(exactly: port) else { return nil }
        var host = literal[...]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        // An embedded NUL would hide the rest from the C library.
        guard !host.utf8.contains(0) else { return nil }
        var ipv4 = sockaddr_in()
        if inet_pton(AF_INET, String(host), &ipv4.sin_addr) == 1 {
            ipv4.sin_family = sa_family_t(AF_INET)
            ipv4.sin_port = port.bigEndian
            self.init(raw: ipv4)
            return
        }
        var ipv6 = sockaddr_in6()
        if let percent = host.firstIndex(of: "%") {
            let zone = String(host[host.index(after: percent)...])
            ipv6.sin6_scope_id = UInt32(zone) ?? if_nametoindex(zone)
            guard ipv6.sin6_scope_id != 0 else { return nil }
            host = host[..<percent]
        }
        guard inet_pton(AF_INET6, String(host), &ipv6.sin6_addr) == 1 else { return nil }
        ipv6.sin6_family = sa_family_t(AF_INET6)
        ipv6.sin6_port = port.bigEndian
        self.init(raw: ipv6)
    }

    /// A Unix socket; a leading `@` stands for the NUL of an abstract one (unix(7)). Nil where the path is longer than
    /// the 107 bytes that the system allows.
    public init?(unixPath: String) {
        var address = sockaddr_un()
        let bytes = Array(unixPath.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < capacity else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: bytes)
            if isAbstract { path[0] = 0 }
        }
        self.init(raw: address)
        // The name of an abstract socket ends where its length says, a path at its NUL.
        length = socklen_t(Self.pathOffset + bytes.count + (isAbstract ? 0 : 1))
    }

    /// The address of a listener; nil where its host is not a literal or its path is too long.
    public init?(_ address: Listener.Address) {
        switch address {
        case .tcp(let host, let port): self.init(literal: host, port: port)
        case .unix(let path): self.init(unixPath: path)
        }
    }

    /// An address that the system has filled in; nil for a family other than IPv4, IPv6 and Unix.
    public init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        guard Int(length) <= MemoryLayout<sockaddr_storage>.size else { return nil }
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
        self.length = length
        guard Self.family(of: storage) != nil else { return nil }
    }

    /// The address that `descriptor` is bound to.
    public init?(localOf descriptor: Int32) {
        self.init(asking: { getsockname(descriptor, $0, $1) })
    }

    /// The address that `descriptor` is connected to.
    public init?(peerOf descriptor: Int32) {
        self.init(asking: { getpeername(descriptor, $0, $1) })
    }

    public var family: Family {
        guard let family = Self.family(of: storage) else { preconditionFailure("an address without family") }
        return family
    }

    /// Whether this is a loopback address (RFC 6890): 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        switch family {
        case .ipv4: load(sockaddr_in.self) { UInt32(bigEndian: $0.sin_addr.s_addr) >> 24 == 127 }
        case .ipv6:
            load(sockaddr_in6.self) { address in
                withUnsafeBytes(of: address.sin6_addr) { $0.last == 1 && $0.dropLast().allSatisfy { $0 == 0 } }
            }
        case .unix: false
        }
    }

    /// Nil for a Unix socket.
    public var port: Int? {
        switch family {
        case .ipv4: load(sockaddr_in.self) { Int(UInt16(bigEndian: $0.sin_port)) }
        case .ipv6: load(sockaddr_in6.self) { Int(UInt16(bigEndian: $0.sin6_port)) }
        case .unix: nil
        }
    }

    /// The IP address as text, without brackets; nil for a Unix socket.
    public var host: String? {
        switch family {
        case .ipv4: load(sockaddr_in.self) { Self.text(AF_INET, $0.sin_addr) }
        case .ipv6:
            load(sockaddr_in6.self) { address in
                let zone = address.sin6_scope_id
                return Self.text(AF_INET6, address.sin6_addr) + (zone == 0 ? "" : "%\(zone)")
            }
        case .unix: nil
        }
    }

    /// The path of a Unix socket, with `@` in front of an abstract name; empty for an unnamed socket.
    public var path: String? {
        guard family == .unix else { return nil }
        return withUnsafeBytes(of: storage) { bytes in
            let path = bytes[Self.pathOffset..<max(Self.pathOffset, Int(length))]
            guard let first = path.first else { return "" }
            return first == 0
                ? "@" + String(decoding: path.dropFirst(), as: UTF8.self)
                : String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Lends the address to a system call.
    public func withSockAddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafeBytes(of: storage) { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length) }
    }

    private static var pathOffset: Int { MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! }

    private init<Address>(raw address: Address) {
        withUnsafeMutableBytes(of: &storage) { storage in
            withUnsafeBytes(of: address) { storage.copyMemory(from: $0) }
        }
        length = socklen_t(MemoryLayout<Address>.size)
    }

    private init?(asking ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) {
            ask($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        guard result == 0, Self.family(of: storage) != nil else { return nil }
        self.storage = storage
        self.length = length
    }

    private static func family(of storage: sockaddr_storage) -> Family? {
        switch Int32(storage.ss_family) {
        case AF_INET: .ipv4
        case AF_INET6: .ipv6
        case AF_UNIX: .unix
        default: nil
        }
    }

    private func load<Address, Result>(_ type: Address.Type, _ body: (Address) -> Result) -> Result {
        withUnsafeBytes(of: storage) { body($0.load(as: type)) }
    }

    private static func text<Address>(_ family: Int32, _ address: Address) -> String {
        withUnsafePointer(to: address) { address in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
                guard inet_ntop(family, address, buffer.baseAddress!, 64) != nil else { return "" }
                return String(cString: buffer.baseAddress!)
            }
        }
    }
}

extension SocketAddress: Hashable {
    public static func == (left: SocketAddress, right: SocketAddress) -> Bool {
        left.withBytes { left in right.withBytes { left.elementsEqual($0) } }
    }

    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
    }

    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: storage) { body(UnsafeRawBufferPointer(rebasing: $0.prefix(Int(length)))) }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// As the configuration writes it: `127.0.0.1:80`, `[::1]:80`, `unix:/run/x.sock`.
    public var description: String {
        guard let host, let port else { return "unix:\(path ?? "")" }
        return family == .ipv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
