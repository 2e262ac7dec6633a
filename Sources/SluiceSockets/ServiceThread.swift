internal import CLinux
internal import SluiceContract
internal import Glibc

/// Starts threads, such as those of the event loops: with a name for `top`, a small stack, and all signals blocked so
/// that they go to the main thread.
public enum ServiceThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// The corridor needs little stack: its only recursion is that of the route trie, as deep as the longest bound
    /// path.
    private static let stackBytes = 512 << 10

    /// Starts a thread that nothing can do without: where the system has no more of them, the process ends.
    public static func run(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let code = start(name, body)
        if code != 0 { SystemCall.trap("pthread_create", code) }
    }

    /// Starts a thread, where the system has one: it has limits (`TasksMax=`, pthread_create(3), EAGAIN).
    /// - Returns: errno, or 0; then `body` runs.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let passed = Unmanaged.passRetained(Start(name, body))
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                clinux_name_thread(start.name)
                start.body()
                return nil
            }, passed.toOpaque())
        if code != 0 { passed.release() }
        return code
    }

    /// Blocks the thread for `duration`.
    public static func sleep(_ duration: Duration) {
        let nanoseconds = duration.nanosecondsClamped
        var wanted = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        var left = timespec()
        while nanosleep(&wanted, &left) != 0, errno == EINTR { wanted = left }
    }
}
