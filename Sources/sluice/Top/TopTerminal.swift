internal import Glibc

/// The terminal while `sluice top` uses it: raw keys, the alternate screen, no cursor. Every use has to end with
/// ``leave()``.
final class TopTerminal {
    /// xterm's private modes 1049 and 25.
    private static let entering = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaving = "\u{1B}[?25h\u{1B}[?1049l"

    private var usual = termios()

    /// Nil where standard input or output is no terminal.
    init?() {
        guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &usual) == 0 else { return nil }
    }

    func enter() {
        var raw = usual
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Ctrl-S would keep a frame from being written, and with it everything else.
        raw.c_iflag &= ~tcflag_t(IXON)
        // Each byte as it comes.
        withUnsafeMutableBytes(of: &raw.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        Say.output(Array(Self.entering.utf8))
    }

    /// Restores the terminal.
    func leave() {
        // Not Say: it would end the command where the terminal is gone.
        let text = Array(Self.leaving.utf8)
        _ = write(STDOUT_FILENO, text, text.count)
        // Without waiting for output that is not read any more.
        tcsetattr(STDIN_FILENO, TCSANOW, &usual)
    }

    /// - Returns: columns and rows.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The typed keys; nil at the end of input.
    func keys() -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : nil
        }
    }
}
