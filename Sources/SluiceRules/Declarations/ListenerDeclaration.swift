public import SluiceContract

/// A listener as its author says it.
public struct ListenerDeclaration: Sendable {
    /// nil where it could not be read.
    public var address: Listener.Address?
    /// `tls`, `http2`, `allow` and `mode`.
    public var settings = Layer<Listener>()

    public init(_ address: Listener.Address?) {
        self.address = address
    }
}

/// A client as its author says it.
public struct ClientDeclaration: Sendable {
    public var name: String
    /// SHA-256 of its keys; nil where one could not be read.
    public var keyDigests: [[UInt8]?]
    public var rate: RateLimit?

    public init(_ name: String, keyDigests: [[UInt8]?], rate: RateLimit? = nil) {
        self.name = name
        self.keyDigests = keyDigests
        self.rate = rate
    }
}

/// `admin: {address: …}` as its author says it.
public struct MonitorDeclaration: Sendable {
    /// nil where it could not be read, or is missing.
    public var address: Listener.Address?
    /// SHA-256 of its keys; nil where one could not be read.
    public var keyDigests: [[UInt8]?]

    public init(_ address: Listener.Address?, keyDigests: [[UInt8]?] = []) {
        self.address = address
        self.keyDigests = keyDigests
    }
}
