public import SluiceContract

extension CachePolicy: Layered {
    public static let usual = CachePolicy()

    public static let settings: [Setting<CachePolicy>] = [
        .duration("fresh", \.fresh, default: "as the upstream says", "How long an answer is fresh"),
        .duration(
            "stale-while-revalidate", \.staleWhileRevalidate, default: "as the upstream says",
            "How long a stale answer is served while a new one is fetched (RFC 5861)"),
        .duration(
            "stale-if-error", \.staleIfError, default: "as the upstream says",
            "How long a stale answer is served where the upstream fails (RFC 5861)"),
        .duration("retry-after-error", \.retryAfterError, "How long an error is answered without asking again"),
        .texts("vary", \.vary, of: "a field name", "Request fields that select among stored answers"),
        .texts(
            "key", \.key, of: "a parameter's name", default: "all parameters", "Parameters that make the cache key"),
        .flag("private", \.isPrivate, "Whether each client has its own entries"),
        .texts("tags", \.tags, of: "a tag", "Names for purging"),
    ]

    public func check(_ layer: Layer<CachePolicy>, _ scope: Scope) {
        checkSeconds(layer, scope)
        guard layer.tells("vary") else { return }
        for (index, name) in vary.enumerated() where !Name.isToken(name) || name == "*" {
            (scope / "vary")[index].mistake("'\(name)' is no field name", at: .value, expected: "a field name")
        }
    }

    /// The age of an answer is a number of seconds (RFC 9111 §1.2.2), and so is what it is compared with.
    private func checkSeconds(_ layer: Layer<CachePolicy>, _ scope: Scope) {
        let durations: [(name: String, value: Duration?)] = [
            ("fresh", fresh), ("stale-while-revalidate", staleWhileRevalidate), ("stale-if-error", staleIfError),
        ]
        for (name, value) in durations where layer.tells(name) {
            guard let (seconds, rest) = value?.components, rest > 0 else { continue }
            let counted = Quantity.text(.seconds(max(1, seconds)))
            (scope / name).warning(
                "ages are whole seconds, so this is \(counted)", at: .value, suggestion: .didYouMean(counted))
        }
    }
}

extension Compression: Layered {
    public static let usual = Compression()

    public static let settings: [Setting<Compression>] = [
        .size("min", \.minBytes, "Shorter answers go out as they are"),
        .words("codings", \.codings, "What is offered, the best first"),
    ]

    public func check(_ layer: Layer<Compression>, _ scope: Scope) {
        guard layer.tells("codings") else { return }
        let codings = codings
        if codings.isEmpty {
            (scope / "codings").mistake(
                "no coding at all", at: .value, expected: "one or more of \(ContentCoding.list)")
        }
        CodingRule.check(codings, scope / "codings")
    }
}

enum CodingRule {
    /// Each once.
    static func check(_ codings: [ContentCoding], _ scope: Scope) {
        for (index, coding) in codings.enumerated() where codings[..<index].contains(coding) {
            scope[index].mistake("'\(coding.rawValue)' stands twice", at: .value, expected: "each coding once")
            return
        }
    }
}

extension ConcurrencyLimit: Layered {
    public static let usual = ConcurrencyLimit(1)

    public static let settings: [Setting<ConcurrencyLimit>] = [
        .required("limit", \.limit, in: 1...1_000_000, "Requests in flight at once"),
        .count(
            "queue", \.queue, in: 0...100_000,
            "Requests that wait for their turn, first in, first out; the next one is refused with 503"),
        .wait("wait", \.wait, "How long one waits at most"),
    ]

    public static func base(_ inherited: ConcurrencyLimit?) -> ConcurrencyLimit { usual }
}

extension RateLimit: Checked {
    /// Requests, at once and in a time.
    package static let counts = 1...1_000_000_000

    public func check(_ scope: Scope) {
        guard Self.counts.contains(count), Self.counts.contains(burst), Quantity.waits.contains(period) else {
            scope.mistake(
                "\(self) is no rate", at: .value, expected: "at least one request in some time, such as 100/s")
            return
        }
    }
}
