import Glibc

/// What the system says of this process.
enum ProcessFacts {
    /// User and system time so far, microseconds.
    static func cpuMicroseconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) }
    }

    /// `VmRSS` and its like, KiB.
    static func status(_ key: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(key + ":") else { continue }
            return Int(text.dropFirst(key.count + 1).filter(\.isNumber)) ?? 0
        }
        return 0
    }
}
