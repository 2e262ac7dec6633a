internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSigning

/// A client's request and what is bound to it on its way in: its route, its checked parameters, the target that the
/// upstream is asked for. A fetch needs no more than this to ask.
///
/// It belongs to an exchange, or to a cache fill, which has a copy of the one that it is made for. It is used again,
/// and keeps its memory. Each part has its own rules: ``Asker``, ``RequestPath``, ``ParameterReader``,
/// ``RequestTarget``, ``RequestBody``, ``RequestSecrets``.
final class BoundRequest {
    var head = RequestHead()
    var trailers = HeaderBlock()
    /// In force when the request began.
    var generation: Generation
    /// Kept by the table of `generation`.
    var borrowedRoute: Borrowed<Route>?
    var route: Route? { borrowedRoute?.object }
    var path = RequestPath()
    /// Decoded values of the parameters, and where each is.
    private(set) var values = ParameterValues()
    /// The request target for the upstream.
    var target = RequestTarget()
    var body = RequestBody()
    private(set) var asker = Asker()
    /// Not the request itself, but the question whether it may be sent (Fetch §4.8).
    var isPreflight = false
    /// The request asks for another protocol, and the route offers it.
    private(set) var isUpgrading = false
    var cacheRole = CacheRole.none
    private(set) var purpose = Purpose.client
    /// What a request for a part has of the whole; nil where it is for none.
    private(set) var whole: WholeTerms?
    /// Counters that its answer depends on because those of its parts do (``Epochs``), if they are needed.
    private(set) var partSlots: Set<UInt32> = []
    /// The validators of a poll of a watched value, where there is no cache.
    private(set) var validators: PollValidators?
    private(set) var secrets = RequestSecrets()
    /// Where it stands in a trace; nil where nothing is traced.
    var trace: RequestTrace?
    /// Its record, if it is traced or inspected.
    var record: ExchangeRecord?
    /// What goes over both sides of the gateway, where it is kept (`inspect:`).
    var contents: ExchangeContents?
    /// Its target is one that a redirect named: the client's conditions, and the cache's, are about another resource.
    var isRedirected = false
    /// What is stored and may still be right: its validators go along (RFC 9111 §4.3.1).
    var revalidated: StoredResponse?

    /// What the answer is to a cache.
    enum CacheRole {
        case none
        /// An answer to HEAD, which brings up to date what is stored (RFC 9111 §4.3.5).
        case updates
        /// It is stored, and asked for by the cache itself.
        case fills
        /// It is compared with the one before, for clients that watch.
        case polls
    }

    /// Why it is made.
    enum Purpose {
        /// Its client wants the answer.
        case client
        /// By the gateway for a composed answer, in the name of that one's client.
        case part
        /// By the gateway for all clients that watch the value.
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

    /// Its head has been read. What is asked in the name of another request is served by the table that the route of
    /// that one is of.
    func begin(in present: Generation) {
        if purpose == .client, generation !== present { generation = present }
    }

    /// Becomes the same request, asked for the cache: a HEAD asks for what a GET does.
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

    /// Asks for a part of what the same client has asked for.
    func ask(forPartOf asked: BoundRequest, _ budget: PartsBudget) {
        (generation, asker, purpose) = (asked.generation, asked.asker, .part)
        let told = asked.isFill ? asked.route.map { asked.forwardedRule($0) } : asked.whole?.told
        whole = WholeTerms(budget: budget, told: told)
    }

    /// Its answer is made of one that depends on these counters.
    func depend(on slots: [UInt32]) {
        // Otherwise it is not stored.
        if isFill || isPart || isPoll { partSlots.formUnion(slots) }
    }

    /// A copy asks from now on, and for long: what was read of the request needs no memory here.
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

    /// The same once more.
    /// - Parameter validators: nil where the cache has its own.
    func poll(as asked: BoundRequest, _ validators: PollValidators?) {
        become(pollOf: asked)
        head.copy(asked.head)
        self.validators = validators
        if validators != nil { cacheRole = .polls }
    }

    /// Asks for the events that tell of changes; its parameters are read once more.
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

    /// Whether the request may be sent a second time without happening twice (RFC 9110 §9.2.2).
    var maySendAgain: Bool {
        upstreamMethod.isIdempotent || borrowedRoute?({ $0.idempotencyField != nil }) == true
    }

    /// Whether the client speaks gRPC, and is to hear of problems in its words.
    var isGRPCCall: Bool {
        borrowedRoute?({ $0.isGRPC }) == true && GRPCCall.isCall(head)
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

    /// `Max-Forwards: 0` ends here; a higher one is counted down on its way (RFC 9110 §7.6.2).
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

    /// The client's name, if there is one; nil for an address.
    var askerName: String? { asker.name(orUserIn: generation.table.clients) }

    /// May this client use the binding, and has it what it takes?
    func checkGrants(_ route: Route) -> Problem? {
        let clients = generation.table.clients
        return asker.identify(by: &head.fields, route, clients) ?? asker.checkCredential(route, clients)
    }

    /// What the request shows to the upstream in the place of its client.
    func credential(_ route: Route) -> CredentialRuntime? {
        let position = route.credentials.position
        if position >= 0 { return generation.credentials[position] }
        guard let map = route.credentials.map, case .one(let position) = asker.given(map, generation.table.clients)
        else { return nil }
        return generation.credentials[position]
    }

    /// Whether what it shows covers its body, too.
    func signsBody(_ route: Route) -> Bool {
        route.credentials.coversBody && credential(route)?.presentation.signature?.coversBody == true
    }

    /// Whether credentials of the client's own go upstream.
    func forwardsCredentials(_ route: Route) -> Bool {
        // Where some cookies are parameters, all of them are written anew, and the field is marked.
        head.fields.firstIndex(of: .cookie) != nil || forwardsAuthorization(route)
    }

    /// The same, but for cookies, which are no credential to a cache (RFC 9111 §3.5).
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
        // Else a whole that is stored for all would have been made for the address of one.
        return route.forwarded.intersection(told)
    }

    // MARK: - What the upstream is asked

    /// Notes that the client wants to change protocols where the route offers it.
    /// - Returns: what is wrong with its handshake.
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

    /// Renames fields, and gives a request that must not happen twice a key of its own.
    func editFields(_ route: Route, _ random: inout RandomSource) {
        for rename in route.fields.renames { rename.apply(to: &head.fields) }
        guard let field = route.idempotencyField, !upstreamMethod.isIdempotent else { return }
        IdempotencyKey.add(to: &head.fields, as: field, &random)
    }

    func writeTarget(_ route: Route) {
        if target.write(route, head, path, values) { return }
        if let query = route.graphQL { GraphQLRequest(self, query, route).writeTarget() }
    }

    /// The target of what is asked for. A query in the target of a GET is about the same as a mutation in a POST.
    func resource(_ route: Route) -> UnsafeRawBufferPointer {
        route.graphQL?.targetOpening == nil ? target.bytes : target.withoutQuery
    }

    // MARK: - Secrets

    /// The request goes out with it.
    func show(_ secret: CredentialVault.Shown?) { secrets.show(secret) }

    /// A value from a variable or a file, for what is being written; nil where there is none.
    func secret(_ number: Int) -> SecretBytes? { secrets.value(number, of: generation) }

    /// A copy of it; empty where there is none.
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
