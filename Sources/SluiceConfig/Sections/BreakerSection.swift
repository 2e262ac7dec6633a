import SluiceContract

/// `breaker:` of an upstream; all numbers are per endpoint and event loop.
enum BreakerSection {
    private static let model = BreakerPolicy()

    static let section = Section(
        name: "upstream.breaker", summary: "When an endpoint that fails is left alone for a while",
        keys: [
            .init("failures", .integer(1...10_000), default: String(model.failures), "Failures in a row"),
            .init(
                "errors", .text(pattern: Quantity.percentPattern), default: "\(model.errorPercent)%",
                "Share of failures among the requests of a window"),
            .init(
                "requests", .integer(1...1_000_000), default: String(model.requestsMin),
                "Requests that a window needs before its share counts"),
            .init("window", .duration, default: Quantity.text(model.window), "Length of a window"),
            .init("rest", .duration, default: Quantity.text(model.rest), "The first rest; each further one doubles"),
            .init("rest-max", .duration, default: Quantity.text(model.restMax), "What a rest does not grow beyond"),
            .init(
                "slow-start", .duration, default: Quantity.text(model.slowStart),
                "How long an endpoint that is back gets less than its share"),
            .init(
                "resting-max", .text(pattern: Quantity.percentPattern), default: "\(model.restingPercentMax)%",
                "Share of the endpoints that may rest at the same time, with refuse: false; one always may"),
            .init(
                "refuse", .flag, default: String(model.refuses),
                "Whether requests are answered with 503 at once while every endpoint rests"),
        ])

    static let shape = Shape.either([.section(section), .choice(["false"])])

    /// - Returns: nil where the node is wrong; `.some(nil)` where `breaker: false` switches an inherited one off.
    static func read(_ node: SourceNode, _ desk: Desk, base: BreakerPolicy?) -> BreakerPolicy?? {
        if ["false", "no", "off"].contains(node.text) { return .some(nil) }
        guard node.entries != nil || node.isNull else {
            desk.findings.mistake(
                at: node.place, "\(node.kind) is no breaker", expected: "a mapping such as {failures: 5}, or false")
            return nil
        }
        var policy = base ?? BreakerPolicy()
        Fields.read(node, section, desk) { fields in
            fields.set("failures", &policy.failures) { desk.integer($0, in: 1...10_000) }
            fields.set("errors", &policy.errorPercent) { desk.percent($0, in: 1...100) }
            fields.set("requests", &policy.requestsMin) { desk.integer($0, in: 1...1_000_000) }
            fields.set("window", &policy.window, desk.wait)
            fields.set("rest", &policy.rest, desk.wait)
            fields.set("rest-max", &policy.restMax, desk.wait)
            fields.set("slow-start", &policy.slowStart, desk.duration)
            fields.set("resting-max", &policy.restingPercentMax) { desk.percent($0, in: 0...100) }
            fields.set("refuse", &policy.refuses, desk.flag)
            if !fields.has("rest-max") { policy.restMax = max(policy.rest, policy.restMax) }
            if policy.rest > policy.restMax {
                desk.findings.mistake(
                    at: fields.keyPlace("rest"), "'rest' is longer than 'rest-max'",
                    expected: "at most \(Quantity.text(policy.restMax))")
            }
            if policy.refuses, fields.has("resting-max") {
                desk.findings.warning(
                    at: fields.keyPlace("resting-max"), "'resting-max' has no effect where requests are refused",
                    suggestion: .advice("add refuse: false, or leave it out"))
            }
        }
        return .some(policy)
    }
}
