internal import Glibc

/// Terminals that output goes to.
enum Terminal {
    /// Columns that lines of standard output should fit in; nil where they may be of any length. `COLUMNS` counts
    /// wherever it is set, as watch(1) does for what it runs.
    static var width: Int? {
        if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 { return columns }
        return columns(of: STDOUT_FILENO)
    }

    /// Nil where `descriptor` is no terminal, or one that does not know.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether lines of `descriptor` can be written over.
    static func isScreen(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && getenv("TERM") != nil && !isDumb
    }

    /// Whether the terminal says of itself that its cursor cannot be moved.
    static var isDumb: Bool { getenv("TERM").map { String(cString: $0) == "dumb" } ?? false }
}
