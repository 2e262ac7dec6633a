import Foundation
import Synchronization

/// A real process, with its output in files. It is ended by ``end()``, or at the latest with the object or the test
/// run.
final class ChildProcess: Sendable {
    let pid: pid_t
    let name: String
    private let folder: TemporaryFolder
    private let status = Mutex<Int32?>(nil)
    private let coreStatus = Mutex(false)
    /// Whether it has ended by a signal, with a core file (WCOREDUMP).
    var hasDumpedCore: Bool { coreStatus.withLock { $0 } }

    /// - Parameters:
    ///   - inherited: descriptors that become 3, 4, … of the child.
    ///   - outputs: what it gets as standard output and standard error in place of files.
    init(
        _ command: [String], environment: [String: String] = [:], inherited: [Int32] = [],
        outputs: FullPipe? = nil
    ) throws {
        name = command[0].split(separator: "/").last.map(String.init) ?? command[0]
        folder = try TemporaryFolder()
        let files = [
            open("/dev/null", O_RDONLY | O_CLOEXEC),
            open(folder.file("output"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600),
            open(folder.file("errors"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600),
        ]
        defer { files.forEach { close($0) } }
        let standard = outputs.map { [files[0], $0.input, $0.input] } ?? files
        let guardian = Guardian.shared
        guard let pid = Spawn.process(command, environment: environment, descriptors: standard + inherited) else {
            throw HarnessError("\(command[0]) could not be started: \(errorText())")
        }
        self.pid = pid
        guardian.started(pid)
    }

    deinit {
        end()
    }

    /// What it has written so far to standard output.
    var output: String { folder.read("output") }
    /// What it has written so far to standard error.
    var errors: String { folder.read("errors") }

    /// Memory that it has in RAM now.
    var residentBytes: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)
            guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                throw HarnessError("/proc/\(pid)/statm is '\(text)'")
            }
            return pages * Int(getpagesize())
        }
    }

    /// Files and sockets that it has open now.
    var descriptorCount: Int {
        get throws {
            // Of a process that keeps secrets, the kernel shows them to root alone (PR_SET_DUMPABLE).
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd") else {
                throw HarnessError("/proc/\(pid)/fd cannot be read; run the tests as root")
            }
            return names.count
        }
    }

    func signal(_ signal: Int32) {
        status.withLock { status in
            if status == nil { kill(pid, signal) }
        }
    }

    /// Stops it, and waits until every thread of it stands still: the signal reaches one after the other.
    func freeze() throws {
        signal(SIGSTOP)
        let tasks = "/proc/\(pid)/task"
        try Poll.until("process \(pid) stands still") {
            try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
                let text = try String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
                // The state comes behind the name, which is in brackets (proc(5)).
                return text.split(separator: ")").last?.split(separator: " ").first == "T"
            }
        }
    }

    /// The exit status, or the negated signal that ended it; nil while it runs.
    var exitStatus: Int32? {
        status.withLock { status in
            if status == nil {
                var raw: Int32 = 0
                guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
                Guardian.shared.ended(pid)
                coreStatus.withLock { $0 = raw & 0x80 != 0 }
                status = raw & 0x7f == 0 ? (raw >> 8) & 0xff : -(raw & 0x7f)
            }
            return status
        }
    }

    /// Waits until it has ended by itself.
    func waitForExit() throws -> Int32 {
        try Poll.until("\(name) ends") { exitStatus }
    }

    /// Ends it, gently first.
    func end() {
        guard exitStatus == nil else { return }
        signal(SIGTERM)
        signal(SIGCONT)
        if (try? waitForExit()) == nil {
            signal(SIGKILL)
            _ = try? waitForExit()
        }
    }

    /// Waits until something listens on `port` of 127.0.0.1.
    func waitUntilListening(on port: UInt16) throws {
        try wait(until: "listens on port \(port)") { (try? Connection(port: port)) != nil }
    }

    /// Waits until a gateway serves on `port` of 127.0.0.1, and so on all else that it listens on: it opens one
    /// listener after the other, and serves when it has them all. It closes a connection on which nothing was asked,
    /// over TLS with an alert before.
    func waitUntilServing(on port: UInt16) throws {
        try wait(until: "serves on port \(port)") {
            guard let connection = try? Connection(port: port) else { return false }
            connection.halfClose()
            switch connection.receive() {
            case .end, .bytes: return true
            case .reset, .nothing: return false
            }
        }
    }

    private func wait(until condition: String, holds: () -> Bool) throws {
        try Poll.until(
            "\(name) \(condition)",
            holds: {
                if let status = exitStatus {
                    throw HarnessError("\(name) ended with \(status):\n\(errors)\(output)")
                }
                return holds()
            })
    }
}
