internal import SluiceContract
internal import SluiceJSON

/// What a person needs to sign in on another device (RFC 8628 §3.2).
public struct DeviceCode: Hashable, Sendable {
    public var deviceCode: String
    public var userCode: String
    public var verificationURL: String
    public var completeURL: String?
    /// Seconds.
    public var lifetime: Int
    /// Seconds between two polls.
    public var interval: Int

    private static let members = JSONMembers(
        "device_code", "user_code", "verification_uri", "verification_url", "verification_uri_complete", "expires_in",
        "interval")

    /// Whether a text is safe to show and open: only web addresses, without control characters that command a terminal.
    private static func isWebAddress(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        return ["http", "https"].contains(scheme) && text.dropFirst(scheme.count).hasPrefix("://")
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && !(0x7F..<0xA0).contains($0.value) }
    }

    /// - Returns: nil where the JSON is no such answer, or does not lead to a web page.
    public init?(json: [UInt8]) {
        let members = Self.members.texts(in: json)
        guard let device = members["device_code"], let user = members["user_code"],
            let url = members["verification_uri"] ?? members["verification_url"], Self.isWebAddress(url)
        else { return nil }
        deviceCode = device
        userCode = user
        verificationURL = url
        completeURL = members["verification_uri_complete"].flatMap { Self.isWebAddress($0) ? $0 : nil }
        lifetime = min(max(0, members["expires_in"].flatMap { Int($0) } ?? 900), 3600)
        interval = min(max(1, members["interval"].flatMap { Int($0) } ?? 5), 60)
    }
}
