public import SluiceContract

/// One upstream as one event loop lives with it: its settings, its connections and its token.
public final class UpstreamRuntime {
    public let settings: Upstream
    /// `host[:port]` for the `Host` field (RFC 9110 §7.2).
    let authority: [UInt8]
    let connectNanoseconds: UInt64
    let idleNanoseconds: UInt64
    var pool: ConnectionPool<UpstreamLink, Fetch>
    var token: TokenVault.Reader
    /// Where `keep:` puts a token; shared by the loops.
    let vault: TokenVault
    /// For the owner's bookkeeping: what it keeps per upstream, such as resolved addresses.
    public var attachment: AnyObject?
    /// No longer configured: connections close when their exchange is over.
    var isRetired = false
    /// Shared by the loops.
    let meter: AdmissionMeter
    let isMetered: Bool
    let pauseMaxNanoseconds: UInt64

    init(_ settings: Upstream, vault: TokenVault, meter: AdmissionMeter) {
        self.settings = settings
        self.meter = meter
        isMetered = meter.rate != nil || meter.gate != nil
        pauseMaxNanoseconds = settings.pauseMax.nanosecondsClamped
        self.vault = vault
        token = TokenVault.Reader(vault)
        authority = Self.authority(of: settings.origin)
        connectNanoseconds = settings.timeout.connect.nanosecondsClamped
        idleNanoseconds = settings.idle.nanosecondsClamped
        pool = ConnectionPool(
            idleMax: settings.idleConnectionsMax, connectionsMax: settings.connectionsMax, queueMax: settings.queueMax)
    }

    private static func authority(of origin: Upstream.Origin) -> [UInt8] {
        switch origin {
        case .unix: return Array("localhost".utf8)
        case .tcp(let host, let port, let tls):
            let name = host.contains(":") ? "[\(host)]" : host
            return Array((port == (tls ? 443 : 80) ? name : "\(name):\(port)").utf8)
        }
    }
}
