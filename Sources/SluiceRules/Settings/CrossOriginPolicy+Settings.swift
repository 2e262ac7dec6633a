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

    public func check(_ layer: Layer<CrossOriginPolicy>, _ scope: Scope) {
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
