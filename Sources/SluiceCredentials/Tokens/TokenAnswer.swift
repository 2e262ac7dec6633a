internal import SluiceContract
internal import SluiceJSON

/// The answer of a token endpoint.
public enum TokenAnswer: Hashable, Sendable {
    case tokens(Tokens)
    /// The server refuses (RFC 6749 §5.2), and would do so again.
    case refused(code: String, description: String?)
    /// There is no usable answer: the network failed, or the server, or the answer cannot be read. The request may have
    /// reached the server.
    case unavailable(String, retryAfterSeconds: Int?)

    /// A successful answer (RFC 6749 §5.1).
    public struct Tokens: Hashable, Sendable {
        public var accessToken: String
        /// In seconds.
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

    /// Longer lifetimes are cut to this: they are no meaningful promise.
    static let lifetimeMax = 10 * 365 * 86_400

    private static let members = JSONMembers(
        "access_token", "token_type", "expires_in", "refresh_token", "scope", "error", "error_description")

    /// Reads the body of a 2xx answer, which is an object with a string `access_token`.
    /// - Parameters:
    ///   - isBound: whether the token has to be bound to the key that was proven (RFC 9449 §5).
    ///   - masked: removes secrets of the request, which the server may echo, from texts that people see.
    public init(success json: [UInt8], isBound: Bool = false, masked: (String) -> String = { $0 }) {
        let members = Self.members.texts(in: json)
        guard let token = members["access_token"], TokenText.isToken(token), token.utf8.count <= TokenText.bytesMax
        else {
            // Some servers send an error with status 200.
            if let code = members["error"] {
                self = .refused(code: masked(code), description: members["error_description"].map(masked))
            } else {
                self = .unavailable("its answer has no access_token that a field can hold", retryAfterSeconds: nil)
            }
            return
        }
        let type = members["token_type"]?.lowercased()
        // Masked before it is cut: a part of a secret would not be recognised.
        func shownType() -> Substring { masked(members["token_type"] ?? "none").prefix(40) }
        if isBound, type != "dpop" {
            // Using an unbound token as if it were bound would expose it.
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

    /// The answer for a request that failed.
    /// - Parameters:
    ///   - status: the status of the server's answer; nil where there was none.
    public init(failure detail: String, code: String?, status: Int?, retryAfterSeconds: Int?) {
        if let status, (400..<500).contains(status), ![408, 425, 429].contains(status) {
            self = .refused(code: code ?? "status \(status)", description: detail)
        } else {
            self = .unavailable(detail, retryAfterSeconds: retryAfterSeconds)
        }
    }
}
