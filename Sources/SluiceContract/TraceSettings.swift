/// `trace:`: spans of requests, for a collector of OpenTelemetry.
public struct TraceSettings: Hashable, Sendable {
    /// Where they go by OTLP over HTTP; nil is nowhere, and then nothing is traced.
    public var endpoint: EndpointURL?
    /// Fields of the requests there.
    public var headers: [HeaderSetting] = []
    /// The token that they show.
    public var bearer: TokenSource?
    /// Of those requests whose client has not decided, so many of a hundred are traced.
    public var samplePercent: Int = 100
    /// Towards a collector with TLS.
    public var tls = Upstream.ClientTLS()

    public init() {}

    public var isOn: Bool { endpoint != nil }
}
