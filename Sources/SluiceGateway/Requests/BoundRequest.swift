internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// A client's request and what is bound to it on its way in: its route, its checked parameters, the target that the
/// upstream is asked for. A fetch needs no more than this to ask.
///
/// It belongs to an exchange, or to a cache fill, which has a copy of the one that it is made for. It is used again,
/// and keeps its memory.
final class BoundRequest {
    var head = RequestHead()
    var trailers = HeaderBlock()
    /// In force when the request began.
    var generation: Generation
    /// Kept by the table of `generation`.
    var borrowedRoute: Borrowed<Route>?
    var route: Route? { borrowedRoute?.object }
    var match = RouteTrie.Match()
    /// The path with unreserved characters decoded, which `match` points into.
    var path = ByteScratch()
    /// Decoded values of the parameters, and where each is.
    var values = ParameterValues()
    /// The request target for the upstream.
    var target = ByteScratch()
    var body = RequestBody()
    /// Who asks; nil while nobody does.
    var client: ClientInfo?
    /// Position of the client in the ``ClientDirectory``; negative where it showed no key.
    var clientIndex: Int32 = -1
    /// Not the request itself, but the question whether it may be sent (Fetch §4.8).
    var isPreflight = false
    /// The request asks for another protocol, and the route offers it.
    var isUpgrading = false
    var cacheRole = CacheRole.none
    /// What it was sent with, and its upstream may echo.
    private(set) var shownSecrets: [CredentialVault.Shown] = []
    /// Where it stands in a trace; nil where nothing is traced.
    var trace: RequestTrace?
    /// What is noted of it, where somebody wants to look at it afterwards.
    var record: ExchangeRecord?
    /// What goes over both sides of the gateway, where it is kept (`inspect:`).
    var contents: ExchangeContents?
    /// What is stored and may still be right: its validators go along (RFC 9111 §4.3.1).
    var revalidated: StoredResponse?

    /// What the answer is to a cache.
    enum CacheRole {
        case none
        /// An answer to HEAD, which brings up to date what is stored (RFC 9111 §4.3.5).
        case updates
        /// It is stored, and asked for by the cache itself.
        case fills
    }

    init(_ generation: Generation) {
        self.generation = generation
    }

    func reset() {
        borrowedRoute = nil
        client = nil
        clientIndex = -1
        isPreflight = false
        isUpgrading = false
        cacheRole = .none
        if revalidated != nil { revalidated = nil }
        if trace != nil { trace = nil }
        if record != nil { (record, contents) = (nil, nil) }
        if !shownSecrets.isEmpty { shownSecrets.removeAll(keepingCapacity: true) }
        body.reset()
        head.reset()
        if trailers.count > 0 { trailers.removeAll() }
        path.removeAll()
        target.removeAll()
        values.removeAll()
    }

    /// The request goes out with it.
    func show(_ secret: CredentialVault.Shown?) {
        guard let secret, !shownSecrets.contains(where: { $0 === secret }) else { return }
        shownSecrets.append(secret)
    }

    /// Becomes the same request, asked for the cache: a HEAD asks for what a GET does.
    func fill(from asked: BoundRequest) {
        generation = asked.generation
        borrowedRoute = asked.borrowedRoute
        head.copy(asked.head)
        client = asked.client
        clientIndex = asked.clientIndex
        if head.method == .head { "GET".utf8.withContiguousStorageIfAvailable { head.set(method: .init($0)) } }
        body.isComplete = true
        path.append(asked.path.bytes)
        target.append(asked.target.bytes)
        match = asked.match
        values.copy(asked.values)
        (trace, record, contents) = (asked.trace, asked.record, asked.contents)
        cacheRole = .fills
    }

    // MARK: - What it is

    /// Whether it is asked for the cache and not for one client.
    var isFill: Bool { cacheRole == .fills }

    /// The method the upstream sees. A typed answer to HEAD is that of GET without its body, so that its length is that
    /// of the slice.
    var upstreamMethod: Method {
        guard let route = borrowedRoute else { return head.method }
        return route { route in
            if let name = route.methodName {
                // What asks a question is one, though a POST carries it.
                if route.graphQL != nil, head.method.isSafe { return .get }
                return name.withUnsafeBytes { Method($0) }
            }
            return head.method == .head && route.isTyped ? .get : head.method
        }
    }

    /// Whether the request changes something, in the eyes of its client and of the upstream.
    var writes: Bool { !head.method.isSafe && !upstreamMethod.isSafe }

    /// Whether the client speaks gRPC, and is to hear of problems in its words.
    var isGRPCCall: Bool {
        borrowedRoute?({ $0.isGRPC }) == true && GRPCCall.isCall(head)
    }

    /// The name under `clients:` whose key came with the request.
    var clientName: String? {
        clientIndex < 0 ? nil : generation.table.clients[Int(clientIndex)].name
    }

    /// What the upstream is told of the client.
    func forwardedRule(_ route: Route) -> ForwardedRule {
        guard let cache = route.cache, cacheRole != .none else { return route.forwarded }
        return cache.forwarded(isNamed: clientName != nil)
    }

    /// Whether the client has said that it takes the codings of an answer. What is fetched for the cache is for others,
    /// too, and they may take none.
    func takesCoding(of fields: borrowing HeaderBlock) -> Bool {
        guard !isFill, case .coded(let codings) = CodingStack.read(fields, atMost: CodingStack.countMax) else {
            return false
        }
        let accepted = AcceptEncoding(head.fields)
        return (0..<codings.count).allSatisfy { accepted.weight(of: codings[$0]) > 0 }
    }
}
