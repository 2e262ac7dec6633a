internal import CLinux
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceSockets
internal import Glibc

/// One run of a program: without a shell, without input, with few environment variables, and with a time limit.
enum ProgramRun {
    private static let outputBytesMax = 64 << 10
    /// How often it is checked whether a program that keeps its output open has ended.
    private static let lookMilliseconds: UInt64 = 20
    /// How long the output has to be quiet after the program's end: a process that it left running may filter its
    /// output.
    private static let restMilliseconds: UInt64 = 500
    private static let variables = ["HOME", "PATH", "LANG", "USER"]

    /// The program's output, once it has ended successfully. Blocks the calling thread.
    /// - Throws: why there is no output; the text has neither output nor arguments, which may hold the token.
    static func output(of program: TokenProgram) throws(RequestFault) -> [UInt8] {
        var ends: [Int32] = [-1, -1]
        let code = clinux_pipe(&ends)
        guard code == 0 else { throw RequestFault(reason(code)) }
        defer { close(ends[0]) }
        let spawned = spawn(program, output: ends[1])
        close(ends[1])
        guard case .success(let process) = spawned else {
            throw notStarted(spawned.code)
        }
        var child = Running(process: process)
        let deadline = MonotonicClock.now() &+ program.timeout.nanosecondsClamped
        let output = read(ends[0], of: &child, until: deadline)
        // A program that has closed its output may run on until the deadline.
        while output != nil, !child.hasEnded(), MonotonicClock.now() < deadline {
            ServiceThread.sleep(.milliseconds(5))
        }
        let isInTime = child.hasEnded()
        if !isInTime { child.kill() }
        guard let output else { throw RequestFault("it printed more than \(outputBytesMax) bytes") }
        guard isInTime else { throw RequestFault("it did not end within \(program.timeout.words)") }
        let status = try child.status()
        guard status & 0x7F == 0 else { throw RequestFault("it was ended by signal \(status & 0x7F)") }
        guard status >> 8 & 0xFF == 0 else { throw RequestFault("it ended with status \(status >> 8 & 0xFF)") }
        return output
    }

    /// Why there is no output where the system has no process, or no thread to wait for it.
    static func notStarted(_ code: Int32) -> RequestFault {
        RequestFault("it could not be started: \(reason(code))")
    }

    /// A child process and how it has ended.
    private struct Running {
        private enum State {
            case running
            /// With the status that waitpid(2) tells.
            case ended(Int32)
            /// Nobody can tell how: a program that has this gateway inside may ignore SIGCHLD, or wait for every child.
            case lost
        }

        let process: pid_t
        private var state = State.running

        init(process: pid_t) {
            self.process = process
        }

        mutating func hasEnded() -> Bool {
            if case .running = state { look(WNOHANG) }
            if case .running = state { return false }
            return true
        }

        mutating func kill() {
            killGroup(process)
            look(0)
        }

        private mutating func look(_ options: Int32) {
            var status: Int32 = 0
            var found: pid_t
            repeat { found = waitpid(process, &status, options) } while found < 0 && errno == EINTR
            if found != 0 { state = found > 0 ? .ended(status) : .lost }
        }

        func status() throws(RequestFault) -> Int32 {
            switch state {
            case .ended(let status): return status
            case .running, .lost:
                throw RequestFault(
                    "its exit status is lost: this process ignores SIGCHLD, or waits for programs that are not its own")
            }
        }
    }

    private enum Child {
        case success(pid_t)
        case failure(Int32)

        var code: Int32 { if case .failure(let code) = self { code } else { 0 } }
    }

    private static func spawn(_ program: TokenProgram, output: Int32) -> Child {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of the daemon block all signals, and a child inherits that.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // A group of its own, so that what it has started can be ended with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        let environment = (variables + program.variables).compactMap { name in
            EnvironmentSecrets.value(of: name).map { "\(name)=\($0)" }
        }
        var process = pid_t()
        let code = withStrings(program.words) { words in
            withStrings(environment) { environment in
                posix_spawnp(&process, program.words[0], &actions, &attributes, words, environment)
            }
        }
        return code == 0 ? .success(process) : .failure(code)
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    /// Reads to the end of the output, or until it is quiet after the program's end: a process that the program left
    /// running may keep the pipe open. Later output is cut off.
    /// - Returns: nil where the output is too long.
    private static func read(_ descriptor: Int32, of child: inout Running, until deadline: UInt64) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= outputBytesMax {
            let now = MonotonicClock.now()
            if now >= deadline { return bytes }
            let hasEnded = child.hasEnded()
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let wait = min((deadline - now) / 1_000_000 + 1, hasEnded ? restMilliseconds : lookMilliseconds)
            let count = poll(&ready, 1, Int32(wait))
            if count == 0, hasEnded { return bytes }
            if count <= 0 { continue }
            let result = readPiece(descriptor, &piece)
            if result < 0, errno == EINTR { continue }
            if result <= 0 { return bytes }
            bytes += piece[..<result]
        }
        return nil
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

/// read(2), which the method of the same name hides.
private func readPiece(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int { read(descriptor, &bytes, bytes.count) }

/// kill(2), likewise; of a process that leads a group, and of all in it.
private func killGroup(_ leader: pid_t) { kill(-leader, SIGKILL) }
