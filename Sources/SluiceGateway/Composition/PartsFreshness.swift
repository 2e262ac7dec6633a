internal import SluiceCache
internal import SluiceHTTP

/// The cache directives of all parts, combined for the composed answer: it is no fresher than any part, and may be
/// shared no more widely (RFC 9111 §5.2.2).
struct PartsFreshness {
    private var flags = CacheControl.Flags()
    /// The shortest remaining lifetime in seconds; nil where no part has given one.
    private var secondsLeft: Int?
    /// Some part has given no lifetime.
    private var isOpen = false
    private var varied: [String] = []
    /// Whether all parts allow an answer to a request with credentials to be shared (RFC 9111 §3.5).
    private var isForOthers = true
    /// A part is missing that could be there next time.
    private(set) var isIncomplete = false

    private static let passed: CacheControl.Flags = [.noStore, .noCache, .private, .mustRevalidate]

    mutating func take(_ fields: borrowing HeaderBlock) {
        var hasControl = false
        var age = 0
        for index in 0..<fields.count where !fields.isMarked(index) {
            switch fields[index].id {
            case .cacheControl: hasControl = true
            case .age: age = DecimalNumber.parse(fields.value(index)) ?? 0
            case .vary: add(vary: String(decoding: fields.value(index), as: UTF8.self))
            default: break
            }
        }
        let targeted = TargetedCacheControl.find(in: fields)
        guard hasControl || targeted != nil else {
            (isOpen, isForOthers) = (true, false)
            return
        }
        let control = targeted ?? CacheControl(fields)
        flags.formUnion(control.flags.intersection(Self.passed))
        if control.flags.isDisjoint(with: [.public, .mustRevalidate]), control.sMaxAge == nil { isForOthers = false }
        // Withheld fields are not in the composed answer.
        guard let lifetime = control.sMaxAge ?? control.maxAge else { return isOpen = true }
        secondsLeft = min(secondsLeft ?? .max, max(0, lifetime - age))
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

    /// - Parameter isAuthorized: the client has sent a credential, which goes with every part.
    func write(into fields: inout HeaderBlock, isAuthorized: Bool) {
        var directives: [String] = []
        if isIncomplete || flags.contains(.noStore) { directives.append("no-store") }
        if flags.contains(.private) || isAuthorized && !isForOthers {
            directives.append("private")
        } else if isAuthorized, directives.isEmpty {
            directives.append("public")
        }
        if flags.contains(.noCache) { directives.append("no-cache") }
        if flags.contains(.mustRevalidate) { directives.append("must-revalidate") }
        if !isOpen, let secondsLeft { directives.append("max-age=\(secondsLeft)") }
        if !directives.isEmpty { fields.append(.cacheControl, text: directives.joined(separator: ", ")) }
        if !varied.isEmpty { fields.append(.vary, text: varied.joined(separator: ", ")) }
    }
}
