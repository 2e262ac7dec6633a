extension Configuration {
    /// Whether some binding is made of others.
    public var hasCompositions: Bool { bindings.contains { $0.composition != nil } }

    /// All upstreams that routes point into: those of ``upstreams``, and behind them the gateway itself where bindings
    /// are made of others.
    public var servedUpstreams: [Upstream] { hasCompositions ? upstreams + [.parts] : upstreams }
}

extension Upstream {
    /// The gateway itself, as the upstream of composed bindings: it is asked like a server of HTTP/2, and nothing ever
    /// goes to a socket.
    public static let parts: Upstream = {
        var upstream = Upstream(
            name: Composition.upstreamName, origin: .unix(path: Composition.upstreamName))
        upstream.httpVersion = .h2c
        upstream.forwarded = .none
        return upstream
    }()
}
