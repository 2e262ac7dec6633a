internal import SluiceCache
internal import SluiceHTTP

/// The cache directives of all parts, combined for the composed answer: it is no fresher than any part, and may be
/// shared no more widely (RFC 9111 §5.2.2).
struct PartsFreshness {
    /// Its seconds are those of the monotonic clock.
    private var joined = JoinedControl()
    /// Some part has given no lifetime.
    private var isOpen = false
    private var varied: [String] = []
    /// A part is missing that could be there next time.
    private(set) var isIncomplete = false

    /// Not those for single fields: withheld fields are not in the composed answer.
    private static let passed: CacheControl.Flags = [.noStore, .noCache, .private, .mustRevalidate, .proxyRevalidate]

    /// - Parameters:
    ///   - limit: how long the part's own binding counts it as fresh (`fresh:`).
    ///   - moment: seconds of the monotonic clock.
    ///   - now: Unix seconds.
    mutating func take(_ fields: borrowing HeaderBlock, limit: Duration?, at moment: Int, now: Int) {
        var hasAge = false
        var age = 0
        var date = now
        for index in 0..<fields.count where !fields.isMarked(index) {
            switch fields[index].id {
            case .age where !hasAge:
                // The first member of the first line counts (RFC 9111 §5.1).
                hasAge = true
                var list = ListIterator(fields.value(index))
                age = list.next().flatMap { CacheControl.age($0) } ?? 0
            case .date: date = HTTPDate.parse(fields.value(index), now: now) ?? now
            case .vary: add(vary: String(decoding: fields.value(index), as: UTF8.self))
            default: break
            }
        }
        let most = limit?.cacheSeconds ?? .max
        // RFC 9111 §4.2.3: the age is at least that which `Date` shows.
        let current = max(age, now - date)
        func staleAt(_ lifetime: Int?) -> Int? { lifetime.map { moment + max(0, min($0, most) - current) } }
        // What any cache is asked for holds for all of them: the composed answer has no targeted fields.
        let readings = TargetedCacheControl.readings(of: fields)
        for (index, control) in readings.enumerated() {
            let hasLifetime = control.sMaxAge != nil || control.maxAge != nil
            if index == 0, !hasLifetime { isOpen = true }
            var flags = control.flags.intersection(Self.passed)
            // RFC 9111 §5.2.2.10: it says that, too.
            if control.sMaxAge != nil { flags.insert(.proxyRevalidate) }
            let isOpenPrivately = !hasLifetime && readings.count == 1
            joined.add(
                flags, isForOthers: index > 0 || Storability.allowsAuthorized(control),
                end: (
                    staleAt(control.sMaxAge ?? control.maxAge), isOpenPrivately ? nil : staleAt(control.maxAge ?? 0)
                ))
        }
    }

    /// Takes from the gateway's own fields for a part that its answer was chosen by `Prefer`. `Origin` makes no
    /// difference: a part has none.
    mutating func takeChosen(by fields: borrowing HeaderBlock) {
        for index in 0..<fields.count where fields[index].id == .vary {
            let names = String(decoding: fields.value(index), as: UTF8.self)
            if names.lowercased() == "prefer" { add(vary: names) }
        }
    }

    mutating func isMissing() { isIncomplete = true }

    private mutating func add(vary value: String) {
        for name in value.split(separator: ",") {
            let name = name.drop { $0 == " " }.prefix { $0 != " " }
            if !varied.contains(where: { $0.lowercased() == name.lowercased() }) { varied.append(String(name)) }
        }
    }

    /// - Parameters:
    ///   - isAuthorized: the client has sent a credential, which goes with every part.
    ///   - moment: seconds of the monotonic clock.
    func write(into fields: inout HeaderBlock, isAuthorized: Bool, at moment: Int) {
        var control = CacheControl()
        control.flags = joined.flags
        if isIncomplete { control.flags.insert(.noStore) }
        if joined.isOwn(isAuthorized: isAuthorized) { control.flags.insert(.private) }
        if isAuthorized, control.flags.isDisjoint(with: [.noStore, .private]) { control.flags.insert(.public) }
        if !isOpen {
            let lifetimes = joined.lifetimes(at: moment)
            JoinedControl.write(shared: lifetimes.shared, private: lifetimes.private, into: &control)
        }
        let text = control.text
        if !text.isEmpty { fields.append(.cacheControl, text: text) }
        if !varied.isEmpty { fields.append(.vary, text: varied.joined(separator: ", ")) }
    }
}
