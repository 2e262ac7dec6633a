public import SluiceContract

extension BreakerPolicy: Layered {
    public static let usual = BreakerPolicy()

    public static let settings: [Setting<BreakerPolicy>] = [
        .count("failures", \.failures, in: 1...10_000, "Failures in a row"),
        .percent("errors", \.errorPercent, in: 1...100, "Share of failures among the requests of a window"),
        .count(
            "requests", \.requestsMin, in: 1...1_000_000, "Requests that a window needs before its share counts"),
        .wait("window", \.window, "Length of a window"),
        .wait("rest", \.rest, "The first rest; each further one doubles"),
        .wait("rest-max", \.restMax, "What a rest does not grow beyond"),
        .duration("slow-start", \.slowStart, "How long an endpoint that is back gets less than its share"),
        .percent(
            "resting-max", \.restingPercentMax, in: 0...100,
            "Share of the endpoints that may rest at the same time, with refuse: false; one always may"),
        .flag("refuse", \.refuses, "Whether requests are answered with 503 at once while every endpoint rests"),
    ]

    public mutating func complete(_ layer: Layer<BreakerPolicy>) {
        if !layer.says("rest-max") { restMax = max(rest, restMax) }
    }

    public func check(_ layer: Layer<BreakerPolicy>, _ scope: Scope) {
        if rest > restMax {
            (scope / "rest").mistake("'rest' is longer than 'rest-max'", expected: "at most \(Quantity.text(restMax))")
        }
        let isSaid = layer.isEverything ? restingPercentMax != Self.usual.restingPercentMax : layer.says("resting-max")
        if refuses, isSaid {
            (scope / "resting-max").warning(
                "'resting-max' has no effect where requests are refused",
                suggestion: .advice("add refuse: false, or leave it out"))
        }
    }
}

extension HealthPolicy: Layered {
    public static let usual = HealthPolicy(path: "/")

    public static let settings: [Setting<HealthPolicy>] = [
        .wait("every", \.every, "How often each event loop asks"),
        .wait("timeout", \.timeout, "For connection and answer together"),
        .count("healthy", \.healthy, in: 1...100, "Answers of 2xx or 3xx in a row that bring an endpoint back"),
        .count("unhealthy", \.unhealthy, in: 1...100, "Failures in a row that take it out"),
    ]

    public static func base(_ inherited: HealthPolicy?) -> HealthPolicy { usual }

    public func check(_ layer: Layer<HealthPolicy>, _ scope: Scope) {
        let isPath = path.hasPrefix("/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }
        if layer.tells("path"), !isPath {
            (scope / "path").mistake(
                "\(URLText.shown(path)) is no path", at: .value, expected: "a path such as /healthz")
        }
    }
}
