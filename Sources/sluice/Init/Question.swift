internal import SluiceFiles
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// A question on standard error, and a line of standard input.
enum Question {
    /// - Returns: the answer without white space around it; nil at the end of the input.
    static func ask(_ text: String) -> String? {
        say(text)
        return readLine().map(trimmed)
    }

    /// The same for what is not to be seen on the terminal.
    static func askSecretly(_ text: String) -> String? {
        say(text)
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine().map(trimmed) }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            say("\n")
        }
        return readLine().map(trimmed)
    }

    private static func trimmed(_ line: String) -> String {
        String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func say(_ text: String) {
        Array(text.utf8).withUnsafeBytes(Say.error)
    }
}
