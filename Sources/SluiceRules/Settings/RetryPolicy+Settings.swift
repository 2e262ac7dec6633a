public import SluiceContract

extension RetryPolicy: Layered {
    public static let usual = RetryPolicy()

    public static let settings: [Setting<RetryPolicy>] = [
        .count("attempts", \.attempts, in: 2...10, "Attempts in all, the first one included"),
        .part(
            "on", \.on, default: "[\(text(usual.on))]",
            "What a request is retried on: \(Cause.words.map(\.name).joined(separator: ", ")), or a status"),
        .duration("backoff", \.backoff, "Bound of the first random wait; it doubles with every further one"),
        .duration("backoff-max", \.backoffMax, "What the bound does not grow beyond"),
        .size(
            "body-max", \.bodyBytesMax,
            "How much of a client's body is kept for another attempt; a longer one is sent once"),
    ]

    /// What was switched off begins anew.
    public static func base(_ inherited: RetryPolicy?) -> RetryPolicy {
        inherited == .off ? usual : inherited ?? usual
    }

    public var isOff: Bool { self == .off }

    public mutating func complete(_ layer: Layer<RetryPolicy>) {
        if !layer.says("backoff-max") { backoffMax = max(backoff, backoffMax) }
    }

    public func check(_ layer: Layer<RetryPolicy>, _ scope: Scope) {
        if backoff > backoffMax {
            (scope / "backoff").mistake(
                "'backoff' is longer than 'backoff-max'", expected: "at most \(Quantity.text(backoffMax))")
        }
    }

    /// The causes in a fixed order, words first.
    package static func text(_ causes: Set<RetryPolicy.Cause>) -> String {
        let words = RetryPolicy.Cause.words.filter { causes.contains($0.cause) }.map(\.name)
        let statuses = causes.compactMap { if case .status(let status) = $0 { status } else { nil } }.sorted()
        return (words + statuses.map(String.init)).joined(separator: ", ")
    }

    /// Statuses that can be retried on.
    package static let statuses = 400...599
}

extension RetryBudgetPolicy: Layered {
    public static let usual = RetryBudgetPolicy()

    public static let settings: [Setting<RetryBudgetPolicy>] = [
        .percent("share", \.sharePercent, in: 0...100, "Share of the requests that clients make"),
        .count(
            "per-second", \.perSecond, in: 0...10_000, "So many a second are allowed in any case, per event loop"),
    ]
}

extension HedgePolicy: Checked {
    /// As the configuration writes it.
    package var text: String {
        switch self {
        case .after(let wait): Quantity.text(wait)
        case .percentile(let percent): "p\(percent)"
        }
    }

    public func check(_ scope: Scope) {
        let isGood =
            switch self {
            case .after(let wait): wait > .zero
            case .percentile(let percent): (10...99).contains(percent)
            }
        if !isGood {
            scope.mistake(
                "the text '\(text)' does not say when to hedge", at: .value,
                expected: "a percentile such as p95, a duration such as 50ms, or false")
        }
    }
}
