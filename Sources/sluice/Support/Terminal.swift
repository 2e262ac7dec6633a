#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

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
