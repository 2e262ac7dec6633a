internal import SluiceContract

/// What of a request target may stand in the access log: programs put keys and tokens into queries, and a log is read
/// by more people, and kept for longer, than either.
enum QueryMask {
    /// What stands in the place of a value.
    static let masked = Array("***".utf8)

    /// Hands on `target`, in runs, with as much of its query as `policy` allows.
    static func forEachRun(
        of target: UnsafeRawBufferPointer, _ policy: LogSettings.Query, _ take: (UnsafeRawBufferPointer) -> Void
    ) {
        guard policy != .full, let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return take(target) }
        if policy == .none { return take(UnsafeRawBufferPointer(rebasing: target[..<mark])) }
        var written = 0
        var start = mark + 1
        while start < target.count {
            let end = target[start...].firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") } ?? target.count
            if let equals = target[start..<end].firstIndex(of: UInt8(ascii: "=")), equals + 1 < end,
                isSecret(UnsafeRawBufferPointer(rebasing: target[start..<equals]))
            {
                take(UnsafeRawBufferPointer(rebasing: target[written...equals]))
                masked.withUnsafeBytes(take)
                written = end
            }
            start = end + 1
        }
        if written < target.count { take(UnsafeRawBufferPointer(rebasing: target[written...])) }
    }

    private static let words = ["token", "secret", "passw", "auth", "signature", "credential"].map { Array($0.utf8) }
    private static let ends = ["key", "pwd", "sig", "sid", "session", "jwt"].map { Array($0.utf8) }
    private static let names = ["code", "pass", "pin", "otp", "sas"].map { Array($0.utf8) }

    /// Whether the name of a parameter sounds like that of a credential, in any case.
    private static func isSecret(_ name: UnsafeRawBufferPointer) -> Bool {
        let lower = name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        return words.contains { lower.holds($0) } || ends.contains { lower.suffix($0.count).elementsEqual($0) }
            || names.contains(lower)
    }
}

extension [UInt8] {
    /// Whether `part` stands somewhere in it.
    fileprivate func holds(_ part: [UInt8]) -> Bool {
        guard count >= part.count else { return false }
        return (0...count - part.count).contains { self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
