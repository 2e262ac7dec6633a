internal import SluiceContract

/// What messages may repeat of a text that is a URL, or was meant to be one.
package enum URLText {
    /// Whether a user, and perhaps a password, stands before the host (RFC 3986 §3.2.1).
    package static func hasUser(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "@")), let start = text.firstRange(of: "://")?.upperBound else {
            return false
        }
        return text[start...].prefix { !"/?#".contains($0) }.contains("@")
    }

    /// What is wrong with a text that is no URL. A password may end behind a slash that nobody has encoded, so what has
    /// an `@` anywhere is not repeated; nor is a query, which may hold a key.
    static func fault(_ text: String) -> String {
        if hasUser(text) { return "user and password have no place in a URL" }
        return text.contains("@") ? "this is no URL" : "'\(text.prefix { $0 != "?" })' is no URL"
    }
}
