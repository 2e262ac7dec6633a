public import SluiceContract

/// The part of a request target that may appear in logs and listings: programs put keys and tokens into queries, and a
/// log is read by more people, and kept longer, than a key or token should be.
public enum QueryMask {
    /// The text that replaces a value.
    static let masked = Array("***".utf8)

    /// Passes `target` to `take` in runs, with as much of its query as `policy` allows, and without a user and password
    /// before its host.
    /// - Parameter kept: parameter names that only sound like credentials and are not masked.
    public static func forEachRun(
        of target: UnsafeRawBufferPointer, _ policy: LogSettings.Query, except kept: Set<String> = [],
        _ take: (UnsafeRawBufferPointer) -> Void
    ) {
        guard let user = userinfo(of: target) else { return forEachQueryRun(of: target, policy, except: kept, take) }
        take(UnsafeRawBufferPointer(rebasing: target[..<user.lowerBound]))
        masked.withUnsafeBytes(take)
        let rest = UnsafeRawBufferPointer(rebasing: target[user.upperBound...])
        forEachQueryRun(of: rest, policy, except: kept, take)
    }

    /// Where user and password stand before a host: in a target in absolute-form or authority-form, which is refused
    /// (RFC 9110 §4.2.4, §9.3.6).
    private static func userinfo(of target: UnsafeRawBufferPointer) -> Range<Int>? {
        if target.first == UInt8(ascii: "/") { return nil }
        let most = target.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.count
        var start = 0
        if let colon = target[..<most].firstIndex(of: UInt8(ascii: ":")),
            target[(colon + 1)..<most].starts(with: "//".utf8)
        {
            start = colon + 3
        }
        let end = target[start..<most].firstIndex(of: UInt8(ascii: "/")) ?? most
        guard let at = target[start..<end].lastIndex(of: UInt8(ascii: "@")), at > start else { return nil }
        return start..<at
    }

    private static func forEachQueryRun(
        of target: UnsafeRawBufferPointer, _ policy: LogSettings.Query, except kept: Set<String>,
        _ take: (UnsafeRawBufferPointer) -> Void
    ) {
        guard policy != .full, let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return take(target) }
        if policy == .none { return take(UnsafeRawBufferPointer(rebasing: target[..<mark])) }
        var written = 0
        var start = mark + 1
        while start < target.count {
            let end = target[start...].firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") } ?? target.count
            if let equals = target[start..<end].firstIndex(of: UInt8(ascii: "=")), equals + 1 < end,
                isSensitive(UnsafeRawBufferPointer(rebasing: target[start..<equals]), except: kept)
            {
                take(UnsafeRawBufferPointer(rebasing: target[written...equals]))
                masked.withUnsafeBytes(take)
                written = end
            }
            start = end + 1
        }
        if written < target.count { take(UnsafeRawBufferPointer(rebasing: target[written...])) }
    }

    /// The target as text, with the values of parameters masked whose names sound like credentials.
    /// - Parameter kept: parameter names that only sound like credentials and are not masked.
    public static func text(_ target: UnsafeRawBufferPointer, except kept: Set<String> = []) -> String {
        var text: [UInt8] = []
        forEachRun(of: target, .masked, except: kept) { text += $0 }
        // A target holds control characters only as placeholders for secrets.
        if text.contains(where: { $0 < 0x20 }) { text = text.flatMap { $0 < 0x20 ? masked : [$0] } }
        return String(decoding: text, as: UTF8.self)
    }

    /// An upstream decodes a name before comparing it, so `api%5Fkey` is treated as `api_key`.
    private static func isSensitive(_ name: UnsafeRawBufferPointer, except kept: Set<String>) -> Bool {
        guard name.contains(UInt8(ascii: "%")) else { return isSensitive(decoded: name, except: kept) }
        return withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { buffer in
            guard let count = PercentEncoding.decode(name, plusIsSpace: true, into: buffer) else {
                return SensitiveName.matches(name)
            }
            return isSensitive(decoded: UnsafeRawBufferPointer(rebasing: buffer[..<count]), except: kept)
        }
    }

    private static func isSensitive(decoded name: UnsafeRawBufferPointer, except kept: Set<String>) -> Bool {
        SensitiveName.matches(name) && (kept.isEmpty || !kept.contains(String(decoding: name, as: UTF8.self)))
    }
}
