import Foundation
import Testing

/// `sluice top` in a terminal: Python's `pty` is the other side of it.
@Suite(.needsPeers) struct TopTests {
    /// Runs the command in a terminal of 80 columns and 24 rows, and carries out the steps of `argv[1]`, each a word
    /// and an argument: `see TEXT` waits for it in what comes from now on, `type KEYS`, `size COLUMNS ROWS`, `signal
    /// NUMBER`, `stopped`, `end STATUS`. At the end the terminal has to be as it was.
    private static let driver = #"""
        import fcntl, json, os, pty, select, signal, struct, sys, termios, time

        steps, command = json.loads(sys.argv[1]), sys.argv[2:]
        master, slave = pty.openpty()
        def size(columns, rows):
            fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        size(80, 24)
        before = termios.tcgetattr(slave)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for number in range(3): os.dup2(slave, number)
            os.environ["TERM"] = "xterm-256color"
            os.execv(command[0], command)
        seen, everything = b"", b""
        def more(patience=1.0):
            global seen, everything
            if select.select([master], [], [], patience)[0]:
                piece = os.read(master, 65536)
                seen += piece
                everything += piece
        def until(what, holds):
            end = time.monotonic() + 60
            while not holds():
                if time.monotonic() > end: sys.exit(f"waited in vain for {what}: {everything[-3000:]!r}")
                more(0.2)
        status = None
        def ended():
            global status
            if status is None:
                found, raw = os.waitpid(pid, os.WNOHANG)
                if found: status = os.waitstatus_to_exitcode(raw)
            return status is not None
        def stopped():
            found, raw = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
            return found and os.WIFSTOPPED(raw)
        for word, *rest in steps:
            if word == "see": until(rest[0], lambda: rest[0].encode() in seen)
            elif word == "type": seen = b""; os.write(master, rest[0].encode())
            elif word == "size": seen = b""; size(*rest)
            elif word == "lines": until("lines", lambda: any(
                f.count(b"\r\n") == rest[0] - 1 for f in seen.split(b"\x1b[H")[1:] if f.endswith(b"\x1b[J")))
            elif word == "signal": seen = b""; os.kill(pid, rest[0])
            elif word == "stopped":
                until("a stop", stopped)
                more()
            elif word == "end":
                until("the end", ended)
                while select.select([master], [], [], 0)[0]: more(0)
                if status != rest[0]: sys.exit(f"ended with {status}: {everything[-3000:]!r}")
        for given, back in [(b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")]:
            if everything.count(given) != everything.count(back): sys.exit(f"{given!r} was not taken back")
        if termios.tcgetattr(slave) != before: sys.exit("the terminal is not as it was")
        print("ok")
        """#

    private final class Place {
        let folder: TemporaryFolder
        let gateway: Daemon

        init() throws {
            folder = try TemporaryFolder()
            gateway = try Daemon("admin: \(folder.file("admin.sock"))\n" + HealthTests.configuration)
            _ = try gateway.get("/fruits")
        }

        func run(_ steps: [[Any]]) throws -> ChildProcess {
            let text = String(decoding: try JSONSerialization.data(withJSONObject: steps), as: UTF8.self)
            let process = try ChildProcess([
                try Peers.python(), "-c", TopTests.driver, text, Daemon.binary, "top", "--every", "1", "--config",
                gateway.file,
            ])
            _ = try process.waitForExit()
            return process
        }
    }

    @Test func isUsedByItsKeys() throws {
        let place = try Place()
        defer { place.gateway.end() }
        let run = try place.run([
            ["see", "GET /fruits"], ["lines", 24], ["type", "\u{1B}[B"], ["see", "\u{1B}[7mGET /fruits"],
            ["type", "/nothing"], ["see", "/nothing▏"], ["type", "\u{1B}"], ["see", "q quit"], ["type", " "],
            ["see", "PAUSED"], ["size", 60, 12], ["lines", 12], ["size", 120, 40], ["lines", 40], ["type", "q"],
            ["end", 0],
        ])
        #expect(run.output == "ok\n", "\(run.errors)")
    }

    /// Ctrl-C, and what a shell, a session or a service manager sends.
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT]) func signalsEndItInOrder(_ signal: Int32) throws {
        let place = try Place()
        defer { place.gateway.end() }
        let sent: [Any] = signal == SIGINT ? ["type", "\u{3}"] : ["signal", Int(signal)]
        let run = try place.run([["see", "GET /fruits"], sent, ["end", 128 + Int(signal)]])
        #expect(run.output == "ok\n", "\(run.errors)")
    }

    @Test func goesToTheBackgroundAndComesBack() throws {
        let place = try Place()
        defer { place.gateway.end() }
        let run = try place.run([
            ["see", "GET /fruits"], ["type", "\u{1A}"], ["stopped"], ["see", "\u{1B}[?1049l"],
            ["signal", Int(SIGCONT)], ["see", "\u{1B}[?1049h"], ["see", "GET /fruits"], ["type", "q"], ["end", 0],
        ])
        #expect(run.output == "ok\n", "\(run.errors)")
    }

    @Test func printsOneTableForScripts() throws {
        let place = try Place()
        defer { place.gateway.end() }
        let once = try Daemon.run("top", "--once", "--config", place.gateway.file)
        #expect(once.exitStatus == 0, "\(once.errors)")
        let lines = once.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("BINDING") == true && !once.output.contains("\u{1B}"))
        let row = try #require(lines.first { $0.hasPrefix("GET /fruits") })
        #expect(row.hasSuffix(" 1") && row.contains("100 %"), "\(row)")
        #expect(lines.contains { $0.hasPrefix("fruit ") })
    }

    @Test func saysWhatStandsInItsWay() throws {
        let place = try Place()
        let dumb = try ChildProcess(
            ["/usr/bin/script", "-qefc", "\(Daemon.binary) top --config \(place.gateway.file)", "/dev/null"],
            environment: ["TERM": "dumb"])
        #expect(try dumb.waitForExit() == 1)
        #expect(dumb.output.contains("a terminal that can move its cursor; --once prints"), "\(dumb.output)")
        #expect(!dumb.output.contains("\u{1B}"))
        let piped = try Daemon.run("top", "--config", place.gateway.file)
        #expect(piped.exitStatus == 1 && piped.errors.contains("--once prints one table"), "\(piped.errors)")
        place.gateway.end()
        let alone = try Daemon.run("top", "--once", "--config", place.gateway.file)
        #expect(alone.exitStatus == 1 && alone.errors.contains("is the daemon running, with 'admin:'"))
    }
}
