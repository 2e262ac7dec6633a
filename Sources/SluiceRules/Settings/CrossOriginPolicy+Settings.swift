public import SluiceContract

extension CrossOriginPolicy: Layered {
    public static let usual = CrossOriginPolicy(.any)

    public static let settings: [Setting<CrossOriginPolicy>] = [
        .flag("credentials", \.credentials, "Whether cookies and other credentials of the browser may come along"),
        .duration("max-age", \.maxAge, "How long a browser may remember what it was told"),
        .flag("private-network", \.privateNetwork, "Whether pages of the public network may reach in here"),
    ]

    /// It says all that there is to say of it.
    public static func base(_ inherited: CrossOriginPolicy?) -> CrossOriginPolicy { usual }

    /// As a browser writes it (RFC 6454 §6.2): a scheme, a host and perhaps a port, in lower case; or `null`.
    package static func isOrigin(_ text: String) -> Bool {
        if text == "null" { return true }
        guard let separator = text.firstRange(of: "://"), !text.hasPrefix("://"), text == text.lowercased() else {
            return false
        }
        let authority = String(text[separator.upperBound...])
        let isBare = authority.hasPrefix("[") && authority.hasSuffix("]")
        return EndpointRule.isHost(
            HostPort.split(authority)?.host ?? (isBare ? String(authority.dropFirst().dropLast()) : authority))
    }

    public func check(_ layer: Layer<CrossOriginPolicy>, _ scope: Scope) {
        if case .list(let origins) = origins {
            for (index, origin) in origins.enumerated() where !Self.isOrigin(origin) {
                (scope / "origins")[index].mistake(
                    "'\(origin)' is no origin", at: .value, expected: "scheme://host or scheme://host:port, or any")
            }
        }
        for (key, names) in [("headers", headers ?? []), ("expose", expose)] {
            for (index, name) in names.enumerated() where !Name.isToken(name) {
                (scope / key)[index].mistake(
                    "'\(name)' is no field name", at: .value, expected: "letters, digits and '-'")
            }
        }
        if origins == .any, credentials {
            (scope / "credentials").warning(
                "every page on the web may use this with the user's cookies",
                suggestion: .advice("name the origins that need them"))
        }
    }
}
