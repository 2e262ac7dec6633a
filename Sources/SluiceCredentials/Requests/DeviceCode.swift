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

    private static let members = JSONMembers(
        "device_code", "user_code", "verification_uri", "verification_url", "verification_uri_complete", "expires_in",
        "interval")

    public init?(json: [UInt8]) {
        let members = Self.members.texts(in: json)
        guard let device = members["device_code"], let user = members["user_code"],
            let url = members["verification_uri"] ?? members["verification_url"]
        else { return nil }
        deviceCode = device
        userCode = user
        verificationURL = url
        completeURL = members["verification_uri_complete"]
        lifetime = min(max(0, members["expires_in"].flatMap { Int($0) } ?? 900), 3600)
        interval = min(max(1, members["interval"].flatMap { Int($0) } ?? 5), 60)
    }
}
