internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The redirects that a request has been through (`follow: same-origin`), and what they say of storing the answer at
/// their end: it is no fresher than any of them, and for no more people (RFC 9111 §3, §4.1, §4.2).
struct RedirectChain {
    private(set) var count = 0
    private var flags = CacheControl.Flags()
    /// Until the first of them is stale; nil where none says so.
    private var secondsLeft: Int?
    /// Whether all of them may be reused for others although a credential was shown (RFC 9111 §3.5).
    private var isForOthers = true
    /// The lines of their `Vary`.
    private var varied: [[UInt8]] = []

    private static let passed: CacheControl.Flags = [.noStore, .private, .mustRevalidate, .proxyRevalidate]
    private static let kept: CacheControl.Flags = [.noTransform, .public]

    /// A redirect that is followed. One that is permanent holds for as long as it says, or else for good (RFC 9110
    /// §15.4.2, §15.4.9); any other for as long as it says, or else for this once.
    mutating func add(_ response: borrowing ResponseHead, now: Int) {
        count += 1
        let facts = CacheFacts(status: response.status, response.fields, now: now)
        let freshness = Freshness(facts, CachePolicy())
        flags.formUnion(facts.control.flags.intersection(Self.passed))
        if freshness.noCache { flags.insert(.noCache) }
        if !Storability.allowsAuthorized(facts) { isForOthers = false }
        for index in 0..<response.fields.count where response.fields[index].id == .vary {
            varied.append(Array(response.fields.value(index)))
        }
        if freshness.source == .none, [301, 308].contains(response.status) { return }
        let age = Freshness.initialAge(facts, responseDelay: 0, now: now)
        secondsLeft = min(secondsLeft ?? .max, max(0, freshness.lifetime - age))
    }

    /// Says in the head of the answer what they say. Its validators are those of another resource than was asked for
    /// (RFC 9110 §8.8), and do not go on.
    /// - Parameter isAuthorized: credentials of the client have gone upstream.
    func restrict(_ response: inout ResponseHead, isAuthorized: Bool, now: Int) {
        let facts = CacheFacts(status: response.status, response.fields, now: now)
        let freshness = Freshness(facts, CachePolicy())
        response.fields.removeAll { id, _ in id == .etag || id == .lastModified }
        for line in varied { line.withUnsafeBytes { response.fields.append(.vary, value: $0) } }
        let isOwn = isAuthorized && !isForOthers
        if secondsLeft == nil, flags.isEmpty, !isOwn, freshness.source != .heuristic { return }
        let control = facts.control
        var all = control.flags.intersection(Self.passed.union(Self.kept)).union(flags)
        // Of a field that is not stored, the rest of the answer is not told apart any more.
        if control.flags.contains(.privateFields) || isOwn { all.insert(.private) }
        if control.flags.contains(.noCacheFields) || freshness.noCache { all.insert(.noCache) }
        if all.contains(.private) { all.remove(.public) }
        var directives = all.directives
        if freshness.source != .none || secondsLeft != nil {
            let age = Freshness.initialAge(facts, responseDelay: 0, now: now)
            directives.append("max-age=\(min(freshness.lifetime, secondsLeft.map { age + $0 } ?? .max))")
        }
        response.fields.removeAll { id, name in
            id == .cacheControl || id == .expires || id == .pragma || TargetedCacheControl.isTarget(name)
        }
        response.fields.append(.cacheControl, text: directives.joined(separator: ", "))
    }
}

extension CacheControl.Flags {
    /// As they are written in a response.
    fileprivate var directives: [String] {
        let names: [(CacheControl.Flags, String)] = [
            (.noStore, "no-store"), (.private, "private"), (.public, "public"), (.noCache, "no-cache"),
            (.mustRevalidate, "must-revalidate"), (.proxyRevalidate, "proxy-revalidate"),
            (.noTransform, "no-transform"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
