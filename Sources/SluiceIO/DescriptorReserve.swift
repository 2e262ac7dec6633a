internal import Glibc

/// File descriptors that clients must not use up: connections to upstreams, files and name look-ups need descriptors,
/// too, and without them no client can be served.
struct DescriptorReserve: Sendable {
    /// Clients get descriptors below this one; the system gives out the lowest that is free.
    let end: Int32

    /// - Parameters:
    ///   - count: descriptors that are kept back, but no more than a quarter of all.
    ///   - most: how many the process may have (`RLIMIT_NOFILE`).
    init(_ count: Int, of most: Int) {
        let limit = min(most, Int(Int32.max))
        end = Int32(limit - min(count, limit / 4))
    }

    /// Whether the next client would get one of the reserve.
    /// - Parameter last: the descriptor that a client was given last; far below the reserve, nothing is asked.
    func isReached(last: Int32, probing descriptor: Int32) -> Bool {
        if last < end - 64 { return false }
        let probe = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard probe >= 0 else { return true }
        close(probe)
        return probe >= end
    }
}
