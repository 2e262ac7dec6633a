import SluiceContract
import SluiceRules

/// `admin:`: the Unix socket of `sluice cache` and `sluice reload`.
enum AdminSection {
    static let off = "off"

    /// - Returns: `.some(nil)` for off; nil where the node is wrong.
    static func read(_ node: SourceNode, _ context: ReadingContext) -> String?? {
        guard let text = context.text(node, what: "a path, or off") else { return nil }
        if [off, "false", "no"].contains(text) { return .some(nil) }
        if !text.hasPrefix("/"), !text.hasPrefix("unix:") {
            // The loopback is open to every user and to every page in a browser.
            context.findings.mistake(
                at: node.place, "'\(text)' is no Unix socket; the gateway is administered on one alone",
                expected: "an absolute path, or off", suggestion: .didYouMean("/run/sluice/admin.sock"))
            return nil
        }
        return .some(text.hasPrefix("unix:") ? String(text.dropFirst(5)) : text)
    }
}
