/// `admin: {address: …}`: an address of the loopback at which metrics and health are told, and nothing else.
public struct MonitorPlace: Hashable, Sendable {
    /// A literal address of the loopback; IPv6 without brackets.
    public var host: String
    public var port: Int
    /// SHA-256 of the keys of which one has to be shown; none where everyone may ask.
    public var keyDigests: [[UInt8]]

    public init(host: String, port: Int, keyDigests: [[UInt8]] = []) {
        self.host = host
        self.port = port
        self.keyDigests = keyDigests
    }
}
