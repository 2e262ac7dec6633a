internal import Glibc

/// Lets one thread at a time do something.
///
/// The C library's mutex rather than that of `Synchronization`, which the thread sanitizer does not see on Linux: it
/// would report a race for all that is guarded, and hide true ones.
// The pointer never changes, and a mutex is there for several threads. That is why Sendable holds.
final class Lock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        let code = pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init: errno \(code)")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func hold<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
