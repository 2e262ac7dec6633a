internal import CLinux
internal import Glibc

/// Why a name has no addresses.
public enum ResolveFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such name, or it has no addresses.
    case notFound
    /// The name server didn't answer; a later try may work.
    case temporary(String)
    /// Too many wait already, for this name or for all.
    case overloaded
    case other(String)

    public var description: String {
        switch self {
        case .notFound: "no such name"
        case .temporary(let reason), .other(let reason): reason
        case .overloaded: "too many connections wait for names already"
        }
    }
}

/// Looks up the addresses of a host.
package enum NameLookup {
    /// Addresses that need no lookup: literals, and `localhost`, which has to work without any network or hosts file
    /// (RFC 6761 §6.3). For `localhost` IPv4 comes first, because most local servers listen there.
    package static func immediate(host: String, port: Int) -> [SocketAddress]? {
        if let address = SocketAddress(literal: host, port: port) { return [address] }
        let name = host.lowercased()
        guard name == "localhost" || name == "localhost." || name.hasSuffix(".localhost") else { return nil }
        return ["127.0.0.1", "::1"].compactMap { SocketAddress(literal: $0, port: port) }
    }

    /// Asks getaddrinfo; may block for as long as the system's resolver is patient.
    ///
    /// Without AI_ADDRCONFIG: that flag does not count loopback addresses, so on a host that has no other, names would
    /// have no addresses. An address of a family that has no route fails at once, and the next one is tried (RFC 8305
    /// §5).
    package static func system(host: String, port: Int) -> Result<[SocketAddress], ResolveFailure> {
        guard !host.isEmpty, !host.utf8.contains(0) else { return .failure(.notFound) }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICSERV
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .failure(failure(code)) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let raw = entry.ai_addr, let address = SocketAddress(raw, length: entry.ai_addrlen),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.ai_next
        }
        return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
    }

    private static func failure(_ code: Int32) -> ResolveFailure {
        switch code {
        case EAI_NONAME, Int32(CLINUX_EAI_NODATA): .notFound
        case EAI_AGAIN: .temporary(String(cString: gai_strerror(code)))
        case EAI_SYSTEM: .other(String(cString: strerror(errno)))
        default: .other(String(cString: gai_strerror(code)))
        }
    }
}
