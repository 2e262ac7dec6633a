/// Texts of an author's in messages.
package enum Shown {
    /// One short line of a text.
    package static func line(of text: String) -> String {
        let line = text.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }.prefix(40)
        return line.utf8.count == text.utf8.count ? text : "\(line)…"
    }
}
