internal import SluiceContract
internal import SluiceJSON

/// What a token endpoint has answered.
public enum TokenAnswer: Hashable, Sendable {
    case tokens(Tokens)
    /// It says no (RFC 6749 §5.2), and would do so again.
    case refused(code: String, description: String?)
    /// It says nothing that counts: the network, the server, or an answer that cannot be read. The request may have
    /// reached it.
    case unavailable(String, retryAfterSeconds: Int?)

    /// A successful answer (RFC 6749 §5.1).
    public struct Tokens: Hashable, Sendable {
        public var accessToken: String
        /// Seconds.
        public var lifetime: Int?
        public var refreshToken: String?
        public var scope: String?

        public init(_ accessToken: String, lifetime: Int? = nil, refreshToken: String? = nil, scope: String? = nil) {
            self.accessToken = accessToken
            self.lifetime = lifetime
            self.refreshToken = refreshToken
            self.scope = scope
        }
    }

    /// A longer life is cut to this: it would be no promise that anybody keeps.
    static let lifetimeMax = 10 * 365 * 86_400

    private static let members = JSONMembers(
        "access_token", "token_type", "expires_in", "refresh_token", "scope", "error", "error_description")

    /// Reads the body of a 2xx answer, which is an object with a string `access_token`.
    /// - Parameters:
    ///   - isBound: whether the token has to be bound to the key that was proven (RFC 9449 §5).
    ///   - masked: takes what the server was told, and may echo, out of texts that people see.
    public init(success json: [UInt8], isBound: Bool = false, masked: (String) -> String = { $0 }) {
        let members = Self.members.texts(in: json)
        guard let token = members["access_token"], TokenText.isToken(token), token.utf8.count <= TokenText.bytesMax
        else {
            // Some say 200 and mean no.
            if let code = members["error"] {
                self = .refused(code: masked(code), description: members["error_description"].map(masked))
            } else {
                self = .unavailable("its answer has no access_token that a field can hold", retryAfterSeconds: nil)
            }
            return
        }
        let type = members["token_type"]?.lowercased()
        // Masked before it is cut: the rest of a secret would not be found.
        func shownType() -> Substring { masked(members["token_type"] ?? "none").prefix(40) }
        if isBound, type != "dpop" {
            // Using it as if it were bound would expose it.
            let reason = "the token is of type '\(shownType())', and with 'dpop-key' it has to be DPoP"
            self = .refused(code: "token_type", description: reason)
            return
        }
        if !isBound, let type, !["bearer", "n_a"].contains(type) {
            let advice = type == "dpop" ? "; 'dpop-key' is missing" : ""
            self = .refused(
                code: "token_type", description: "tokens of type '\(shownType())' are not understood\(advice)")
            return
        }
        let lifetime = members["expires_in"].flatMap { Double($0) }.flatMap {
            $0 > 0 ? Int(min($0, Double(Self.lifetimeMax))) : nil
        }
        self = .tokens(
            Tokens(
                token, lifetime: lifetime, refreshToken: members["refresh_token"].flatMap { $0.isEmpty ? nil : $0 },
                scope: members["scope"].map(masked)))
    }

    /// What a problem of the request comes to.
    /// - Parameters:
    ///   - status: of the server's answer; nil where there was none.
    public init(failure detail: String, code: String?, status: Int?, retryAfterSeconds: Int?) {
        if let status, (400..<500).contains(status), ![408, 425, 429].contains(status) {
            self = .refused(code: code ?? "status \(status)", description: detail)
        } else {
            self = .unavailable(detail, retryAfterSeconds: retryAfterSeconds)
        }
    }
}
