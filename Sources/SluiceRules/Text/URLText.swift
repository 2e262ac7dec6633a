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
        hasUser(text) ? "user and password have no place in a URL" : "\(shown(text)) is no URL"
    }

    /// A text in quotes, up to its query; "this" where it may hold a password.
    package static func shown(_ text: String) -> String {
        let start = text.prefix { $0 != "?" }
        return text.contains("@") || start.isEmpty ? "this" : "'\(start)'"
    }
}
