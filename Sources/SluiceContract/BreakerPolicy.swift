/// When an endpoint that fails is left alone for a while (`breaker:`).
public struct BreakerPolicy: Hashable, Sendable {
    /// Failures in a row.
    public var failures = 5
    /// Percent of failures among the requests of one `window`.
    public var errorPercent = 50
    /// Requests that a window needs before its percentage says anything.
    public var requestsMin = 20
    public var window: Duration = .seconds(10)
    /// The first rest; each further one is twice as long.
    public var rest: Duration = .milliseconds(200)
    /// What a rest does not grow beyond: how long an endpoint may go unnoticed that is back.
    public var restMax: Duration = .seconds(1)
    /// How long an endpoint that is back gets less than its share of requests.
    public var slowStart: Duration = .seconds(10)
    /// Percent of the endpoints that may rest at the same time, where requests are not refused; one always may.
    public var restingPercentMax = 50
    /// Whether requests are refused at once while every endpoint rests; else they are sent all the same.
    public var refuses = true

    public init() {}
}
