public import SluiceContract

/// A request that the gateway makes for itself: to a token endpoint. It is handled like any other request, with the
/// same connections, limits and checks, but has no client.
public struct OwnRequest: Sendable {
    /// The server that it goes to, and how: name, origin, certificates, times.
    public var upstream: Upstream
    public var method: String
    /// Path and query.
    public var target: String
    public var fields: [HeaderSetting]
    public var body: [UInt8]?
    /// Whether a successful answer has to be JSON.
    public var wantsJSON: Bool
    /// Parts of the request that must not appear in any problem.
    public var secrets: [[UInt8]]
    /// The owner of the request. Owners share no connections, so that a surplus answer on one cannot reach another
    /// owner.
    public var owner: UInt64

    /// `text` without the secrets that a request has sent, which the answer may have echoed.
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

/// The outcome of an ``OwnRequest``.
public enum OwnAnswer: Sendable {
    /// The body of a successful answer.
    case body([UInt8])
    case problem(Problem)
}
