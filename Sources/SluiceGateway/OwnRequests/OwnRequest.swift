public import SluiceContract

/// A request that the gateway makes for itself: to a token endpoint. It goes the way of every other one, with the same
/// connections, limits and checks, and without a client.
public struct OwnRequest: Sendable {
    /// Whom it asks, and how: name, origin, certificates, times.
    public var upstream: Upstream
    public var method: String
    /// Path and query.
    public var target: String
    public var fields: [HeaderSetting]
    public var body: [UInt8]?
    /// Whether a successful answer has to be JSON.
    public var wantsJSON: Bool
    /// What of it may stand in no problem.
    public var secrets: [[UInt8]]
    /// Whose it is. Connections are not shared: what a server sends twice is no answer to somebody else.
    public var owner: UInt64

    /// `text`, which an answer may have echoed, without what a request has sent.
    public static func masked(_ text: String, hiding secrets: [[UInt8]]) -> String {
        var mask = CredentialMask()
        for secret in secrets { mask.insert(secret) }
        return mask.applied(to: text)
    }

    /// A field of answers that problems keep (RFC 9449 §8).
    public static let nonceField = "DPoP-Nonce"

    public init(
        _ upstream: Upstream, method: String, target: String, fields: [HeaderSetting] = [], body: [UInt8]? = nil,
        wantsJSON: Bool = true, secrets: [[UInt8]] = [], owner: UInt64 = 0
    ) {
        self.upstream = upstream
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.wantsJSON = wantsJSON
        self.secrets = secrets
        self.owner = owner
    }
}

/// What has become of it.
public enum OwnAnswer: Sendable {
    /// The body of a successful answer.
    case body([UInt8])
    case problem(Problem)
}
