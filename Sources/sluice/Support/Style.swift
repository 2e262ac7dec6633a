#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Colours on a terminal, and none anywhere else: no-color.org and bixense.com/clicolors say who decides.
struct Style {
    private let isColoured: Bool

    static let output = Style(STDOUT_FILENO)
    static let error = Style(STDERR_FILENO)

    private init(_ descriptor: Int32) {
        isColoured = Self.isColoured(isTerminal: isatty(descriptor) == 1) { name in
            getenv(name).map { String(cString: $0) }
        }
    }

    private static func isColoured(isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
        if let text = variable("NO_COLOR"), !text.isEmpty { return false }
        if let text = variable("CLICOLOR_FORCE"), !text.isEmpty, text != "0" { return true }
        return isTerminal && variable("TERM") != "dumb"
    }

    func bold(_ text: String) -> String { sgr("1", text) }
    func red(_ text: String) -> String { sgr("1;31", text) }
    func yellow(_ text: String) -> String { sgr("1;33", text) }

    /// Select Graphic Rendition (ECMA-48 §8.3.117).
    private func sgr(_ code: String, _ text: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// The terminal that standard output goes to.
enum Terminal {
    /// Columns that lines should fit in; nil where they may be of any length. `COLUMNS` counts wherever it is set, as
    /// watch(1) does for what it runs.
    static var width: Int? {
        if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 { return columns }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
