internal import Glibc

/// Colours on a terminal, and none anywhere else: no-color.org and bixense.com/clicolors say who decides.
public enum TerminalColour: String, Sendable {
    case bold = "1"
    case red = "1;31"
    case yellow = "1;33"
    case green = "32"

    /// `text` in this colour: Select Graphic Rendition (ECMA-48 §8.3.117).
    public func paint(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

    /// Whether what is written to `descriptor` is to be coloured.
    public static func isWanted(on descriptor: Int32) -> Bool {
        func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        if let text = variable("NO_COLOR"), !text.isEmpty { return false }
        if let text = variable("CLICOLOR_FORCE"), !text.isEmpty, text != "0" { return true }
        return isatty(descriptor) == 1 && variable("TERM") != "dumb"
    }
}
