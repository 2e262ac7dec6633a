internal import SluiceContract
internal import SluiceJSON

/// What a person needs to agree on another device (RFC 8628 §3.2).
public struct DeviceCode: Hashable, Sendable {
    public var deviceCode: String
    public var userCode: String
    public var verificationURL: String
    public var completeURL: String?
    /// Seconds.
    public var lifetime: Int
    /// Seconds between two questions.
    public var interval: Int

    public init?(json: [UInt8]) {
        func text(_ key: String) -> String? {
            json.withUnsafeBytes { JSONPick.text(at: FieldPath(components: [.key(key)]), in: $0) }
        }
        guard let device = text("device_code"), let user = text("user_code"),
            let url = text("verification_uri") ?? text("verification_url")
        else { return nil }
        deviceCode = device
        userCode = user
        verificationURL = url
        completeURL = text("verification_uri_complete")
        lifetime = min(max(0, text("expires_in").flatMap { Int($0) } ?? 900), 3600)
        interval = min(max(1, text("interval").flatMap { Int($0) } ?? 5), 60)
    }
}
