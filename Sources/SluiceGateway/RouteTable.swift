public import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// All bindings, compiled: immutable, shared by the event loops, replaced whole when the configuration is reloaded.
public final class RouteTable: Sendable {
    public let configuration: Configuration
    let routes: [Route]
    let trie: RouteTrie
    let hosts: HostPolicy
    let normaliser: Normaliser

    /// - Throws: ``CompileError`` naming the binding, where a type cannot be compiled into a plan.
    public init(_ configuration: Configuration) throws(CompileError) {
        self.configuration = configuration
        var routes: [Route] = []
        var trie = RouteTrie()
        for binding in configuration.bindings {
            guard let position = configuration.upstreams.firstIndex(where: { $0.name == binding.upstream }) else {
                throw CompileError(binding: binding.name, reason: "there is no upstream '\(binding.upstream)'")
            }
            do throws(PlanError) {
                let route = try Route(
                    binding, upstream: configuration.upstreams[position], position: position,
                    configuration: configuration)
                trie.insert(binding.path, methods: binding.methods, route: routes.count, parameters: route.parameters)
                routes.append(route)
            } catch {
                throw CompileError(binding: binding.name, reason: "\(error)")
            }
        }
        self.routes = routes
        self.trie = trie
        hosts = HostPolicy(configuration)
        normaliser = Normaliser(configuration.envelope)
    }

    /// A binding that cannot be served.
    public struct CompileError: Error, Hashable, Sendable, CustomStringConvertible {
        public var binding: String
        public var reason: String

        public var description: String { "\(binding): \(reason)" }
    }
}
