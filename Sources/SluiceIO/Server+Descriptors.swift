internal import Glibc

/// How many file descriptors the process may have.
extension Server {
    static func descriptorsMax() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(Int32.max) }
        return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
    }

    /// Thousands of connections need as many descriptors; the soft limit is often 1024.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
