internal import Glibc

/// The daemon's handling of signals.
enum Signals {
    private static let handled = [SIGTERM, SIGINT, SIGHUP]

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in handled { sigaddset(&set, number) }
        return set
    }

    /// Holds the handled signals back on this thread and all that it starts. To be called before there are others: a
    /// signal that comes before ``obey(_:)`` then waits for it, instead of killing the process or being lost.
    static func hold() {
        var set = self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // The reader of the access log may close its pipe first.
        signal(SIGPIPE, SIG_IGN)
        // Whoever has started the daemon may have ignored it: then the kernel keeps no exit status of a program that
        // `command:` names (waitpid(2), ECHILD).
        signal(SIGCHLD, SIG_DFL)
        // Nor would alarm(2) end the process, where ``Daemon/stop()`` relies on it.
        signal(SIGALRM, SIG_DFL)
    }

    /// Waits for a signal that ends a command. Signals are to be held before.
    static func awaitEnd() {
        var set = self.set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
    }

    /// Does what signals ask for, on this thread, as long as the process lives. No thread ever has them unblocked, so
    /// that there is no moment at which one of them would end the process by itself.
    static func obey(_ daemon: Daemon) -> Never {
        var set = self.set
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            if number == SIGHUP { daemon.reload() } else { daemon.stop() }
        }
    }
}
