internal import SluiceContract
internal import SluiceHTTP

/// Which `Host` values are served. This stops DNS rebinding: a foreign page that makes its name resolve to 127.0.0.1
/// still sends its own name.
struct HostPolicy: Sendable {
    /// nil where every host is served.
    private let names: [[UInt8]]?
    /// The host of the monitor's address; bindings are not served under it.
    private let monitor: [UInt8]?

    init(_ configuration: Configuration) {
        monitor = configuration.monitor.map { Array($0.host.lowercased().utf8) }
        guard case .names(let extra) = configuration.hosts else {
            names = nil
            return
        }
        var names: [[UInt8]] = ["localhost", "127.0.0.1", "::1"].map { Array($0.utf8) }
        for listener in configuration.listen {
            if case .tcp(let host, _) = listener.address { names.append(Array(host.utf8)) }
        }
        names += extra.map { Array($0.lowercased().utf8) }
        self.names = names
    }

    /// - Parameter authority: `host[:port]`, already known to be well formed.
    func serves(_ authority: UnsafeRawBufferPointer) -> Bool {
        guard let names else { return true }
        let host = Self.host(of: authority)
        // By position: a walk over the names would count references to them, which all loops share.
        for index in 0..<names.count where Self.isSame(names[index], host) { return true }
        return false
    }

    /// Why a request for this host is refused; nil where it is served.
    func refusal(of authority: UnsafeRawBufferPointer) -> Problem? {
        if serves(authority) { return nil }
        let host = String(decoding: authority.prefix(100), as: UTF8.self)
        return Problem(
            .hostNotServed, detail: "The host '\(host)' is not served here; add it to 'hosts:' if it should be.")
    }

    /// Whether the monitor is served under this host: its own address counts too.
    func servesMonitor(_ authority: UnsafeRawBufferPointer) -> Bool {
        if let monitor, Self.isSame(monitor, Self.host(of: authority)) { return true }
        return serves(authority)
    }

    private static func isSame(_ name: [UInt8], _ host: UnsafeRawBufferPointer) -> Bool {
        name.count == host.count && zip(name, host).allSatisfy { $0 == lowercased($1) }
    }

    private static func host(of authority: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        if authority.first == UInt8(ascii: "["), let close = authority.firstIndex(of: UInt8(ascii: "]")) {
            return UnsafeRawBufferPointer(rebasing: authority[1..<close])
        }
        let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.count
        return UnsafeRawBufferPointer(rebasing: authority[..<end])
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
