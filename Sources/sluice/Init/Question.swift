internal import SluiceFiles
internal import Glibc

/// A question on standard error, and a line of standard input.
enum Question {
    /// - Returns: the answer without white space around it; nil at the end of the input.
    static func ask(_ text: String) -> String? {
        say(text)
        return readLine().map(trimmed)
    }

    /// Asks without showing the input on the terminal, whose echo is restored however the question ends.
    static func askSecretly(_ text: String) -> String? {
        say(text)
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine().map(trimmed) }
        var (ending, usual) = (sigset_t(), sigset_t())
        sigemptyset(&ending)
        for number in endings { sigaddset(&ending, number) }
        pthread_sigmask(SIG_BLOCK, &ending, &usual)
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        let isAnswered = waitForLine()
        let answer = isAnswered ? readLine().map(trimmed) : nil
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
        say("\n")
        // A signal that arrived meanwhile, usually Ctrl-C, ends the command here.
        pthread_sigmask(SIG_SETMASK, &usual, nil)
        return answer
    }

    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// - Returns: false where a signal that is held back came first.
    private static func waitForLine() -> Bool {
        while true {
            var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            if poll(&entry, 1, 100) != 0 { return true }
            var pending = sigset_t()
            sigpending(&pending)
            if endings.contains(where: { sigismember(&pending, $0) == 1 }) { return false }
        }
    }

    private static func trimmed(_ line: String) -> String {
        String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func say(_ text: String) {
        Array(text.utf8).withUnsafeBytes(Say.error)
    }
}
