public import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// All bindings, compiled: immutable, shared by the event loops, replaced whole when the configuration is reloaded.
public final class RouteTable: Sendable {
    public let configuration: Configuration
    let routes: [Route]
    let trie: RouteTrie
    let hosts: HostPolicy
    let ownOrigins: OwnOrigins
    let normaliser: Normaliser
    /// Whether some binding upgrades to a tunnel.
    let offersTunnels: Bool
    let clients: ClientDirectory
    /// Which clients may request metrics and health at an address; nil if there is none.
    let monitor: MonitorAccess?
    /// Rate limits of clients without a name; nil where these have no limit.
    let clientBuckets: ClientBuckets?
    /// Variables and files whose values are put into requests.
    let secrets: [TokenSource]
    /// In the order of the configuration's ``Configuration/servedUpstreams``.
    let upstreamMeters: [AdmissionMeter]
    /// All credentials that requests may use.
    let credentials: [Credential]

    /// - Parameter earlier: the table that this one replaces; counters go on where their limit has not changed.
    /// - Throws: ``CompileError`` naming the binding, where a type cannot be compiled into a plan.
    public init(_ configuration: Configuration, after earlier: RouteTable? = nil) throws(CompileError) {
        self.configuration = configuration
        let configuration = configuration.withFixturesInUse
        var routes: [Route] = []
        var trie = RouteTrie()
        let common = RouteCommon(configuration)
        credentials = common.credentials
        secrets = common.secrets
        let served = configuration.servedUpstreams
        let upstreams = Dictionary(zip(served.map(\.name), 0...)) { first, _ in first }
        let siblings = SiblingGroup.all(configuration, common)
        let earlierRoutes = earlier?.routesByName ?? [:]
        for binding in configuration.bindings {
            guard let position = upstreams[binding.upstream] else {
                throw CompileError(binding: binding.name, reason: "there is no upstream '\(binding.upstream)'")
            }
            do throws(PlanError) {
                let before = earlierRoutes[binding.name]
                let meter = AdmissionMeter.binding(binding, after: before?.meter)
                let pause =
                    before.flatMap { $0.binding.upstream == binding.upstream ? $0.pause : nil } ?? UpstreamPause()
                func compile(
                    _ binding: Binding, _ common: RouteCommon, _ siblings: SiblingGroup.Place? = nil,
                    _ examples: [String: Route] = [:], feed: Route? = nil, isMetered: Bool = true
                ) throws(PlanError) -> Route {
                    try Route(
                        binding, at: routes.count, upstream: served[position], position: position,
                        common, meter: isMetered ? meter : nil, pause: pause, siblings: siblings, examples: examples,
                        feed: feed)
                }
                var examples: [String: Route] = [:]
                for named in binding.fixtures {
                    examples[named.name] = try compile(binding.choosing(named), common.ofExamples)
                }
                let feed = try binding.watchFeed.map { events throws(PlanError) in
                    // A feed lasts as long as a client watches: under the limit it would take a place from requests.
                    try compile(events, common, isMetered: false)
                }
                let route = try compile(binding, common, siblings[routes.count], examples, feed: feed)
                trie.insert(binding.path, methods: binding.methods, route: routes.count, parameters: route.parameters)
                routes.append(route)
            } catch {
                throw CompileError(binding: binding.name, reason: "\(error)")
            }
        }
        self.routes = routes
        trie.seal()
        self.trie = trie
        hosts = HostPolicy(configuration)
        monitor = configuration.monitor.map { MonitorAccess($0.keyDigests) }
        ownOrigins = OwnOrigins(configuration)
        normaliser = Normaliser(configuration.envelope)
        offersTunnels = routes.contains(where: \.upgradesToWebSocket)
        clients = ClientDirectory(configuration, after: earlier?.clients)
        let buckets = earlier?.clientBuckets.flatMap { $0.limit == configuration.clientRate ? $0 : nil }
        clientBuckets =
            buckets ?? configuration.clientRate.map { ClientBuckets($0, countMax: configuration.limits.rateClients) }
        upstreamMeters = served.map {
            .upstream($0, after: earlier?.meter(ofUpstream: $0.name))
        }
    }

    private var routesByName: [String: Route] {
        Dictionary(routes.lazy.map { ($0.binding.name, $0) }) { first, _ in first }
    }

    private func meter(ofUpstream name: String) -> AdmissionMeter? {
        configuration.servedUpstreams.firstIndex { $0.name == name }.map { upstreamMeters[$0] }
    }

    /// A binding that cannot be served.
    public struct CompileError: Error, Hashable, Sendable, CustomStringConvertible {
        public var binding: String
        public var reason: String

        public var description: String { "\(binding): \(reason)" }
    }
}
