import Foundation

/// Stops one thread of a process, as a debugger does, for as long as the process lives.
final class ThreadStopper: Sendable {
    private let process: ChildProcess

    init(_ pid: pid_t, thread name: String) throws {
        process = try ChildProcess([try Peers.python(), "-c", Self.script, "\(pid)", name])
        try Poll.until("thread \(name) stands still") { [process] in
            if process.exitStatus != nil {
                throw HarnessError("no thread was stopped; run the tests as root:\n\(process.errors)")
            }
            return process.output.contains("stopped")
        }
    }

    func end() { process.end() }

    /// Who stops a thread has to take note of its end, too, or the process stays.
    private static let script = """
        import ctypes, os, sys

        SEIZE, INTERRUPT, WALL = 0x4206, 0x4207, 0x40000000
        pid, name = sys.argv[1:]
        threads = [int(thread) for thread in os.listdir(f"/proc/{pid}/task")
                   if open(f"/proc/{pid}/task/{thread}/comm").read().strip() == name]
        libc = ctypes.CDLL(None, use_errno=True)
        for request in SEIZE, INTERRUPT:
            if libc.ptrace(request, threads[0], 0, 0) != 0:
                sys.exit(os.strerror(ctypes.get_errno()))
        os.waitpid(threads[0], WALL)
        print("stopped", flush=True)
        while True:
            _, status = os.waitpid(threads[0], WALL)
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                break
        """
}
