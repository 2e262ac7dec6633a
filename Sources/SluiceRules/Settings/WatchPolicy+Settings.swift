public import SluiceContract

extension WatchPolicy: Layered {
    public static let usual = WatchPolicy()

    /// More often is no polling but a load test.
    private static let intervals = Duration.milliseconds(100)...Quantity.durationMax
    /// Less often, and whatever stands between takes the stream for dead.
    private static let heartbeats = Duration.seconds(1)...Duration.seconds(3600)
    private static let historyMax = 100_000

    public static let settings: [Setting<WatchPolicy>] = [
        .wait("every", \.every, in: intervals, "How long the upstream is left alone between two questions"),
        .choice(
            "send", \.send,
            "What a change is told as: the whole value, a merge patch (RFC 7396) or a JSON patch (RFC 6902)"),
        .words("states", \.states, "What is told beside the value"),
        .wait(
            "heartbeat", \.heartbeat, in: heartbeats,
            "A silence after which a comment shows that the stream is alive"),
        .wait(
            "backoff-max", \.backoffMax, in: intervals,
            "The longest wait between two questions while the upstream fails; it doubles up to there"),
        .count(
            "history", \.history, in: 0...historyMax, "Changes that are kept for clients that come back"),
        .text(
            "from", \.from, of: "a path of the upstream",
            "An event stream of the same upstream, whose events ask for the value at once"),
        .text("event", \.event, of: "the name of an event", "Which of its events do; all where nothing is said"),
    ]

    public mutating func complete(_ layer: Layer<WatchPolicy>) {
        if !layer.says("backoff-max") { backoffMax = max(every, backoffMax) }
    }

    public func check(_ layer: Layer<WatchPolicy>, _ scope: Scope) {
        if backoffMax < every {
            (scope / "backoff-max").mistake(
                "'backoff-max' is shorter than 'every'", expected: "at least \(Quantity.text(every))")
        }
        if Set(states).count < states.count {
            (scope / "states").mistake("a state stands twice", expected: "each state once")
        }
        if event != nil, from == nil {
            (scope / "event").mistake(
                "there is no stream whose events it could choose among", expected: "'from:' with its path")
        }
        if let event, event.isEmpty || event.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            (scope / "event").mistake("that is no event's name", at: .value, expected: "one line of text")
        }
        guard let from else { return }
        do {
            if try PathTemplate(from).hasRest {
                (scope / "from").mistake("'**' leads to many streams", at: .value, expected: "the path of one stream")
            }
        } catch {
            (scope / "from").mistake(
                "\(URLText.shown(from)) is no path: \(error.message)", at: .value, expected: "a path such as /events")
        }
    }
}
