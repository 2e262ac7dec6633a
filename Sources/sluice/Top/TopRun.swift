internal import SluiceConsole
internal import SluiceIO
internal import Glibc

/// `sluice top` on a terminal, until a key or a signal ends it.
struct TopRun {
    private let terminal: TopTerminal
    private let watch: MetricsWatch
    private let signals: SignalPipe
    private var keys = TerminalKeys()
    private var screen: TopScreen
    /// The signal that ended it.
    private var signal: Int32?

    /// To be made before there are other threads: it takes signals, and they would go there.
    /// - Parameter first: what is shown until the next page of metrics comes.
    init(_ terminal: TopTerminal, _ watch: MetricsWatch, _ first: FigureSnapshot) {
        signals = SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        self.terminal = terminal
        self.watch = watch
        screen = TopScreen(isColoured: TerminalColour.isWanted(on: STDOUT_FILENO))
        _ = screen.take(.told(first))
    }

    /// - Returns: the signal that ended it, if any; the terminal is as it was.
    mutating func run() -> Int32? {
        watch.start()
        terminal.enter()
        defer { terminal.leave() }
        resize()
        while signal == nil {
            draw()
            guard step() else { break }
        }
        return signal
    }

    private func draw() { Say.output(screen.frame) }

    private mutating func resize() {
        let size = terminal.size
        _ = screen.take(.resized(columns: size.columns, rows: size.rows))
    }

    /// Waits for one fact.
    /// - Returns: whether it goes on.
    private mutating func step() -> Bool {
        var ready = [STDIN_FILENO, signals.descriptor, watch.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&ready, 3, -1) > 0 else { return true }
        if ready[1].revents != 0 { takeSignal() }
        if ready[2].revents != 0, let outcome = watch.take() {
            switch outcome {
            case .success(let snapshot): _ = screen.take(.told(snapshot))
            case .failure(let failure): _ = screen.take(.failed("\(failure)\(AdminClient.advice(failure))"))
            }
        }
        if ready[0].revents != 0 {
            guard let typed = terminal.keys() else { return false }
            for key in keys.read(typed) where !screen.take(.pressed(key)) { return false }
        }
        return true
    }

    private mutating func takeSignal() {
        guard let number = signals.take() else { return }
        switch number {
        case SIGWINCH: resize()
        case SIGTSTP:
            // The shell gets the terminal as it was; SIGSTOP cannot be held back.
            terminal.leave()
            raise(SIGSTOP)
            terminal.enter()
            resize()
        case SIGCONT: resize()
        default: signal = number
        }
    }
}
