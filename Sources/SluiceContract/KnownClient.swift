/// A local program that is known by its API key (`clients:`).
public struct KnownClient: Hashable, Sendable {
    public var name: String
    /// SHA-256 of each of its keys, 32 bytes: more than one while keys are exchanged.
    public var keyDigests: [[UInt8]]
    /// In the place of the rate that applies to every client.
    public var rate: RateLimit?

    public init(name: String, keyDigests: [[UInt8]], rate: RateLimit? = nil) {
        self.name = name
        self.keyDigests = keyDigests
        self.rate = rate
    }
}
