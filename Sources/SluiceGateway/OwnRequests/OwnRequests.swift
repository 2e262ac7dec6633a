internal import SluiceContract
internal import SluiceHTTP

/// The requests that the gateway makes for itself on one loop, and the servers that they go to.
final class OwnRequests {
    /// Servers that are remembered at a time, with their idle connections.
    private static let placesMax = 16

    private struct Place {
        var upstream: Upstream
        var wantsJSON: Bool
        var owner: UInt64
        var generation: Generation
    }

    private let loop: LoopContext
    private let fetches: FetchPool
    private let http2: HTTP2UpstreamStreams
    private var places: [Place] = []
    private var open: [ObjectIdentifier: OwnExchange] = [:]

    init(_ fetches: FetchPool, _ http2: HTTP2UpstreamStreams) {
        self.fetches = fetches
        self.http2 = http2
        loop = fetches.loop
    }

    /// - Parameter done: called once, perhaps before this returns.
    func send(_ asked: OwnRequest, _ done: @escaping (OwnAnswer) -> Void) {
        guard let generation = place(of: asked) else {
            return done(
                .problem(Problem(.internalError, detail: "The request to '\(asked.upstream.name)' cannot be made.")))
        }
        let route = generation.table.routes[asked.method == "GET" ? 0 : 1]
        let exchange = OwnExchange(asked, generation, route, self, done)
        open[ObjectIdentifier(exchange)] = exchange
        if let problem = fetches.begin(for: exchange, route, generation.upstreams[0]) { exchange.fetchFailed(problem) }
    }

    /// The caller may still borrow the exchange, and nothing else retains it: so it is kept for this turn.
    func ended(_ exchange: OwnExchange) {
        loop.keepForTurn(exchange)
        open[ObjectIdentifier(exchange)] = nil
    }

    /// Each place has a table of its own: the settings for clients' requests do not apply here.
    private func place(of asked: OwnRequest) -> Generation? {
        let known = places.firstIndex {
            $0.upstream == asked.upstream && $0.wantsJSON == asked.wantsJSON && $0.owner == asked.owner
        }
        if let index = known {
            let place = places.remove(at: index)
            places.append(place)
            return place.generation
        }
        var upstream = asked.upstream
        upstream.forwarded = .none
        // RFC 6749 §5.2.
        upstream.error = ErrorPaths(
            message: FieldPath(components: [.key("error_description")]), code: FieldPath(components: [.key("error")]))
        var configuration = Configuration()
        configuration.upstreams = [upstream]
        configuration.bindings = ["GET", "POST"].map { method in
            let root = PathTemplate(segments: [], hasRest: true)
            var binding = Binding(methods: [method], path: root, upstream: upstream.name, upstreamPath: root)
            binding.value = asked.wantsJSON ? .scalar(.json) : nil
            binding.error = ErrorPaths()
            return binding
        }
        guard let table = try? RouteTable(configuration) else { return nil }
        let runtime = UpstreamRuntime(
            upstream, meter: table.upstreamMeters[0], http2: http2, now: loop.now, cells: loop.metrics.ownRequests)
        // These requests have no client, so they are counted only as attempts.
        let generation = Generation(
            table: table, upstreams: [runtime], credentials: [], [:],
            routeCells: table.routes.map { _ in loop.metrics.unbound })
        if places.count >= Self.placesMax { places.removeFirst().generation.upstreams[0].retire() }
        places.append(
            Place(upstream: asked.upstream, wantsJSON: asked.wantsJSON, owner: asked.owner, generation: generation))
        return generation
    }

    /// Closes idle connections.
    func drain() {
        for place in places { place.generation.upstreams[0].retire() }
        places = []
    }
}
