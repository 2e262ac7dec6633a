import SluiceContract

/// `retry:` of an upstream or binding.
enum RetrySection {
    private static let model = RetryPolicy()
    private static let causes = RetryPolicy.Cause.words.map(\.name)

    static let section = Section(
        name: "retry", summary: "When a request that failed is sent once more",
        keys: [
            .init(
                "attempts", .integer(2...10), default: String(model.attempts), "Attempts in all, the first one included"
            ),
            .init(
                "on", .oneOrMany(.either([.choice(causes), .integer(400...599)])), default: "[\(text(model.on))]",
                "What a request is retried on: \(causes.joined(separator: ", ")), or a status"),
            .init(
                "backoff", .duration, default: Quantity.text(model.backoff),
                "Bound of the first random wait; it doubles with every further one"),
            .init(
                "backoff-max", .duration, default: Quantity.text(model.backoffMax),
                "What the bound does not grow beyond"),
            .init(
                "body-max", .size, default: Quantity.text(bytes: model.bodyBytesMax),
                "How much of a client's body is kept for another attempt; a longer one is sent once"),
        ])

    static let shape = Shape.either([.section(section), .choice(["false"])])

    /// - Returns: nil where the node is wrong; `retry: false` is a policy of one attempt.
    static func read(_ node: SourceNode, _ desk: Desk, base: RetryPolicy?) -> RetryPolicy? {
        if ["false", "no", "off"].contains(node.text) { return .off }
        var policy = base == .off ? RetryPolicy() : base ?? RetryPolicy()
        guard node.entries != nil || node.isNull else {
            desk.findings.mistake(
                at: node.place, "\(node.kind) is no retry policy",
                expected: "a mapping such as {attempts: 3}, or false",
                suggestion: node.text.flatMap { Int($0) }.map { .didYouMean("{attempts: \($0)}") })
            return nil
        }
        Fields.read(node, section, desk) { fields in
            fields.set("attempts", &policy.attempts) { desk.integer($0, in: 2...10) }
            fields.set("on", &policy.on) { node in Set(desk.items(node).compactMap { cause($0, desk) }) }
            fields.set("backoff", &policy.backoff, desk.duration)
            fields.set("backoff-max", &policy.backoffMax, desk.duration)
            fields.set("body-max", &policy.bodyBytesMax, desk.size)
            if !fields.has("backoff-max") { policy.backoffMax = max(policy.backoff, policy.backoffMax) }
            if policy.backoff > policy.backoffMax {
                desk.findings.mistake(
                    at: fields.keyPlace("backoff"), "'backoff' is longer than 'backoff-max'",
                    expected: "at most \(Quantity.text(policy.backoffMax))")
            }
        }
        return policy
    }

    private static func cause(_ node: SourceNode, _ desk: Desk) -> RetryPolicy.Cause? {
        if let known = RetryPolicy.Cause.words.first(where: { $0.name == node.text }) { return known.cause }
        if let status = node.text.flatMap({ Int($0) }), (400...599).contains(status) { return .status(status) }
        desk.findings.mistake(
            at: node.place, "\(node.kind) is nothing to retry on",
            expected: causes.joined(separator: ", ") + ", or a status from 400 to 599",
            suggestion: Nearest.suggestion(for: node.text ?? "", among: causes))
        return nil
    }

    /// The causes in a fixed order, words first.
    static func text(_ causes: Set<RetryPolicy.Cause>) -> String {
        let words = RetryPolicy.Cause.words.filter { causes.contains($0.cause) }.map(\.name)
        let statuses = causes.compactMap { if case .status(let status) = $0 { status } else { nil } }.sorted()
        return (words + statuses.map(String.init)).joined(separator: ", ")
    }
}

/// `retry-budget:` of an upstream.
enum RetryBudgetSection {
    private static let model = RetryBudgetPolicy()

    static let section = Section(
        name: "upstream.retry-budget", summary: "How much retries and hedges may add to the load of the API",
        keys: [
            .init(
                "share", .text(pattern: Quantity.percentPattern), default: "\(model.sharePercent)%",
                "Share of the requests that clients make"),
            .init(
                "per-second", .integer(0...10_000), default: String(model.perSecond),
                "So many a second are allowed in any case, per event loop"),
        ])

    static func read(_ node: SourceNode, _ desk: Desk, into budget: inout RetryBudgetPolicy) {
        Fields.read(node, section, desk) { fields in
            fields.set("share", &budget.sharePercent) { desk.percent($0, in: 0...100) }
            fields.set("per-second", &budget.perSecond) { desk.integer($0, in: 0...10_000) }
        }
    }
}
