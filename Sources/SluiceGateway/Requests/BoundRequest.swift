internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSigning

/// A client's request and what was worked out on its way in: its route, its checked parameters, and the target for the
/// upstream. A fetch needs nothing else.
///
/// It belongs to an exchange, or to a cache fill, which works on a copy of the client's request. The object is reused,
/// and keeps its memory. Each part has its own rules: ``Asker``, ``RequestPath``, ``ParameterReader``,
/// ``RequestTarget``, ``RequestBody``, ``RequestSecrets``.
final class BoundRequest {
    var head = RequestHead()
    var trailers = HeaderBlock()
    /// The generation in force when the request began.
    var generation: Generation
    /// Kept alive by the route table of `generation`.
    var borrowedRoute: Borrowed<Route>?
    var route: Route? { borrowedRoute?.object }
    var path = RequestPath()
    /// Decoded values of the parameters.
    private(set) var values = ParameterValues()
    /// The request target for the upstream.
    var target = RequestTarget()
    var body = RequestBody()
    private(set) var asker = Asker()
    /// Whether the request only asks if another one may be sent (a preflight, Fetch §4.8).
    var isPreflight = false
    /// Whether the request asks for another protocol that the route offers.
    private(set) var isUpgrading = false
    var cacheRole = CacheRole.none
    private(set) var purpose = Purpose.client
    /// For the request of a part: what it shares with the composed answer; nil otherwise.
    private(set) var whole: WholeTerms?
    /// Counters (``Epochs``) on which the answers of the parts, and so this answer, depend; kept only where needed.
    private(set) var partSlots: Set<UInt32> = []
    /// Validators for polling a watched value without a cache.
    private(set) var validators: PollValidators?
    private(set) var secrets = RequestSecrets()
    /// The request's place in a trace; nil where nothing is traced.
    var trace: RequestTrace?
    /// The record of the exchange, if it is traced or inspected.
    var record: ExchangeRecord?
    /// Both sides' messages, where the binding keeps them (`inspect:`).
    var contents: ExchangeContents?
    /// Whether a redirect has named the target: then neither the client's conditions nor the cache's apply to it.
    var isRedirected = false
    /// The stored answer that is being revalidated; its validators are sent along (RFC 9111 §4.3.1).
    var revalidated: StoredResponse?

    /// What the cache does with the answer.
    enum CacheRole {
        case none
        /// A HEAD answer, which updates the stored one (RFC 9111 §4.3.5).
        case updates
        /// The cache itself makes the request, and stores the answer.
        case fills
        /// The answer is compared with the one before, for clients that watch.
        case polls
    }

    /// Why the request is made.
    enum Purpose {
        /// A client sent it.
        case client
        /// The gateway requests a part of a composed answer, for that answer's client.
        case part
        /// The gateway polls for all clients that watch the value.
        case poll
    }

    init(_ generation: Generation) {
        self.generation = generation
    }

    func reset() {
        borrowedRoute = nil
        asker = Asker()
        isPreflight = false
        isUpgrading = false
        if purpose != .client { (purpose, whole) = (.client, nil) }
        if !partSlots.isEmpty { partSlots = [] }
        if validators != nil { validators = nil }
        cacheRole = .none
        if revalidated != nil { revalidated = nil }
        isRedirected = false
        if trace != nil { trace = nil }
        if record != nil { (record, contents) = (nil, nil) }
        secrets.removeAll()
        body.reset()
        head.reset()
        if trailers.count > 0 { trailers.removeAll() }
        path.removeAll()
        target.removeAll()
        values.removeAll()
    }

    /// The head has been read. A request for a part or a poll stays in the generation of the request that it is made
    /// for, because its route belongs to that one's table.
    func begin(in present: Generation) {
        if purpose == .client, generation !== present { generation = present }
    }

    /// Copies the client's request for a cache fill; a HEAD becomes a GET.
    func fill(from asked: BoundRequest) {
        generation = asked.generation
        borrowedRoute = asked.borrowedRoute
        head.copy(asked.head)
        asker = asked.asker
        if head.method == .head { "GET".utf8.withContiguousStorageIfAvailable { head.set(method: .init($0)) } }
        body.isComplete = true
        path.copy(asked.path)
        target.append(asked.target.bytes)
        values.copy(asked.values)
        (trace, record, contents) = (asked.trace, asked.record, asked.contents)
        (whole, cacheRole) = (asked.whole, .fills)
    }

    /// Becomes the request for a part of the composed answer that `asked` is for, with the same client.
    func ask(forPartOf asked: BoundRequest, _ budget: PartsBudget) {
        (generation, asker, purpose) = (asked.generation, asked.asker, .part)
        let told = asked.isFill ? asked.route.map { asked.forwardedRule($0) } : asked.whole?.told
        whole = WholeTerms(budget: budget, told: told)
    }

    /// The answer is made of one that depends on these counters.
    func depend(on slots: [UInt32]) {
        // Answers to other requests are not stored.
        if isFill || isPart || isPoll { partSlots.formUnion(slots) }
    }

    /// A copy makes the request from now on, possibly for long: what was read is no longer needed here.
    func releaseWhatWasRead() {
        path.releaseMemory()
        target.releaseMemory()
        values.releaseMemory()
        trailers.releaseMemory()
    }

    /// Polls for all clients that watch, on behalf of the first one. The head is made separately.
    func become(pollOf asked: BoundRequest) {
        (generation, asker, purpose) = (asked.generation, asked.asker, .poll)
        borrowedRoute = asked.borrowedRoute
        path.copy(asked.path)
        target.append(asked.target.bytes)
        values.copy(asked.values)
    }

    /// Becomes the next poll, like the one before.
    /// - Parameter validators: nil where the cache has its own.
    func poll(as asked: BoundRequest, _ validators: PollValidators?) {
        become(pollOf: asked)
        head.copy(asked.head)
        self.validators = validators
        if validators != nil { cacheRole = .polls }
    }

    /// Becomes the request for the event stream that tells of changes; its parameters are read anew.
    func feed(as asked: BoundRequest, _ route: Route) {
        (generation, asker, purpose) = (asked.generation, asked.asker, .poll)
        borrowedRoute = Borrowed(route)
        path.copy(asked.path)
        head.copy(asked.head)
        head.fields.append(.accept, "text/event-stream")
    }

    // MARK: - What it is

    var isPart: Bool { purpose == .part }
    var isPoll: Bool { purpose == .poll }

    /// Whether the request is a cache fill, and not for one client.
    var isFill: Bool { cacheRole == .fills }

    /// The method that the upstream sees. On a typed route a HEAD becomes a GET, so that the length in its answer is
    /// that of the cut value.
    var upstreamMethod: Method {
        guard let route = borrowedRoute else { return head.method }
        return route { route in
            if let name = route.methodName {
                // A GraphQL query is safe, even if it is sent by POST.
                if route.graphQL != nil, head.method.isSafe { return .get }
                return name.withUnsafeBytes { Method($0) }
            }
            return head.method == .head && route.isTyped ? .get : head.method
        }
    }

    /// Whether the request changes something, both for the client's method and for the upstream's.
    var writes: Bool { !head.method.isSafe && !upstreamMethod.isSafe }

    /// Whether the request may be sent again without a second effect (RFC 9110 §9.2.2).
    var maySendAgain: Bool {
        upstreamMethod.isIdempotent || borrowedRoute?({ $0.idempotencyField != nil }) == true
    }

    /// Whether this is a gRPC call, so that problems go out as gRPC statuses.
    var isGRPCCall: Bool {
        borrowedRoute?({ $0.isGRPC }) == true && GRPCCall.isCall(head)
    }

    /// Whether the client accepts the codings of an answer. False for a cache fill: its answer also goes to clients
    /// that may accept no coding.
    func takesCoding(of fields: borrowing HeaderBlock) -> Bool {
        guard !isFill, case .coded(let codings) = CodingStack.read(fields, atMost: CodingStack.countMax) else {
            return false
        }
        let accepted = AcceptEncoding(head.fields)
        return (0..<codings.count).allSatisfy { accepted.weight(of: codings[$0]) > 0 }
    }

    /// Whether the request stops at the gateway (`Max-Forwards: 0`); a higher number is counted down (RFC 9110 §7.6.2).
    func endsHere() -> Bool {
        guard let index = head.fields.firstIndex(of: .maxForwards),
            let left = DecimalNumber.parse(head.fields.value(index))
        else { return false }
        if left == 0 { return true }
        head.fields.mark(index)
        Array(String(left - 1).utf8).withUnsafeBytes { head.fields.append(.maxForwards, value: $0) }
        return false
    }

    // MARK: - Who asks

    var client: ClientInfo? {
        get { asker.client }
        set { asker.client = newValue }
    }

    /// The name under `clients:` whose key came with the request.
    var clientName: String? { asker.name(in: generation.table.clients) }

    /// The client's name, or its Unix user; nil where only the address is known.
    var askerName: String? { asker.name(orUserIn: generation.table.clients) }

    /// Checks whether the client may use the binding, and has a credential where it needs its own.
    func checkGrants(_ route: Route) -> Problem? {
        let clients = generation.table.clients
        return asker.identify(by: &head.fields, route, clients) ?? asker.checkCredential(route, clients)
    }

    /// The credential that the request uses at the upstream, if any.
    func credential(_ route: Route) -> CredentialRuntime? {
        let position = route.credentials.position
        if position >= 0 { return generation.credentials[position] }
        guard let map = route.credentials.map, case .one(let position) = asker.given(map, generation.table.clients)
        else { return nil }
        return generation.credentials[position]
    }

    /// Whether the request's signature covers its body.
    func signsBody(_ route: Route) -> Bool {
        route.credentials.coversBody && credential(route)?.presentation.signature?.coversBody == true
    }

    /// Whether credentials of the client's own go upstream.
    func forwardsCredentials(_ route: Route) -> Bool {
        // Where some cookies are parameters, the whole field is written anew, and is marked.
        head.fields.firstIndex(of: .cookie) != nil || forwardsAuthorization(route)
    }

    /// The same without cookies, which caches do not regard as credentials (RFC 9111 §3.5).
    func forwardsAuthorization(_ route: Route) -> Bool {
        for index in 0..<head.fields.count {
            switch head.fields[index].id {
            case .authorization: if route.passesAuthorization, !head.fields.isMarked(index) { return true }
            case .xAPIKey: if !head.fields.isMarked(index) { return true }
            default: break
            }
        }
        return false
    }

    /// What the upstream is told of the client.
    func forwardedRule(_ route: Route) -> ForwardedRule {
        if let cache = route.cache, cacheRole != .none { return cache.forwarded(isNamed: clientName != nil) }
        guard let told = whole?.told else { return route.forwarded }
        // Without this, an answer stored for all clients could be made for the address of one.
        return route.forwarded.intersection(told)
    }

    // MARK: - What the upstream is asked

    /// Notes that the client wants to change protocols, where the route offers it.
    /// - Returns: what is wrong with the client's handshake.
    func readUpgrade(_ route: Route, _ random: inout RandomSource) -> Problem? {
        switch RequestedUpgrade.read(&head, route, &random) {
        case .none: return nil
        case .webSocket:
            isUpgrading = true
            return nil
        case .refused(let problem): return problem
        }
    }

    /// Reads the parameters, and checks that they are as declared.
    func readParameters(_ route: Route) -> [Problem.Fault] {
        var reader = ParameterReader()
        reader.read(route, &head, path, into: &values)
        return reader.faults
    }

    /// Renames fields, and adds an idempotency key to a request that must not be carried out twice.
    func editFields(_ route: Route, _ random: inout RandomSource) {
        for rename in route.fields.renames { rename.apply(to: &head.fields) }
        guard let field = route.idempotencyField, !upstreamMethod.isIdempotent else { return }
        IdempotencyKey.add(to: &head.fields, as: field, &random)
    }

    func writeTarget(_ route: Route) {
        if target.write(route, head, path, values) { return }
        if let query = route.graphQL { GraphQLRequest(self, query, route).writeTarget() }
    }

    /// The target that identifies the resource: without its query, where that holds a GraphQL query.
    func resource(_ route: Route) -> UnsafeRawBufferPointer {
        route.graphQL?.targetOpening == nil ? target.bytes : target.withoutQuery
    }

    // MARK: - Secrets

    /// Notes a secret that the request is sent with.
    func show(_ secret: CredentialVault.Shown?) { secrets.show(secret) }

    /// A value from a variable or a file, to be written into the request; nil where there is none.
    func secret(_ number: Int) -> SecretBytes? { secrets.value(number, of: generation) }

    /// A copy of that value; empty where there is none.
    func secretBytes(_ number: Int) -> [UInt8] { secrets.bytes(number, of: generation) }

    /// The target with its secrets in their places, while `body` runs.
    func withTarget(_ route: Route, _ body: (UnsafeRawBufferPointer) -> Void) {
        let markers = route.secrets.inTarget
        if markers.isEmpty, !route.credentials.isInQuery { return body(target.bytes) }
        var pair: SecretBytes?
        if route.credentials.isInQuery, let credential = credential(route), !credential.isField {
            pair = credential.reader.line
        }
        target.whole(markers.count, secret: { secretBytes(markers[$0]) }, pair: pair).withUnsafeBytes(body)
    }
}
