internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// A binding compiled for serving: everything that can be computed before a request comes.
final class Route: Sendable {
    let binding: Binding
    /// Position of this route in the table.
    let position: Int
    /// Position of the upstream in the table.
    let upstream: Int
    let parameters: [RouteParameter]
    /// Whether the query goes upstream byte for byte.
    let passesQuery: Bool
    /// The upstream's path, its base path included, as text and values in turn.
    let target: TargetPattern
    let methodName: [UInt8]?
    /// The GraphQL query of the binding.
    let graphQL: GraphQLQuery?
    let fields: RequestFieldEdits
    let answerFields: AnswerFieldEdits?
    let secrets: RouteSecrets
    /// The field with the idempotency key, for requests that must not be carried out twice.
    let idempotencyField: [UInt8]?
    /// How clients that request an event stream are told of changes.
    let watch: WatchPlan?
    /// Whether more than parameters has to be read before anything is looked up: fields of the client are renamed or
    /// added, a fixture may be chosen, the client may begin at a page, or the value may be watched.
    let editsFields: Bool
    /// What is cut out of a 2xx answer whose status has no plan of its own.
    private let answerPlan: AnswerPlan?
    private let answerPlanByStatus: [Int: AnswerPlan]
    /// Whether some answer of this route is cut and checked.
    let isTyped: Bool
    /// Whether a partial answer is useless (RFC 9110 §14), because the answer is cut or rewritten.
    var needsWhole: Bool { isTyped || localURLs != nil }
    /// Whether rows go out as they arrive, so that an answer may never end.
    let streamsRows: Bool
    let readsEvents: Bool
    let follow: Redirects
    let bodyMode: BodyMode
    let bodyKeys: BodyKeys
    /// Whether a value is cut out of successful answers: then the client's `Accept` does not go upstream.
    let wantsJSON: Bool
    /// The `Accept` and `Accept-Encoding` lines that go upstream in place of the client's.
    let accepts: [UInt8]
    /// Written before and after an outgoing body (`wrap:`).
    let wrapOpening: [UInt8]
    let wrapClosing: [UInt8]
    let errors: ErrorRules
    /// How all pages of a list become one value.
    let pages: PageRule?
    /// Where URLs in answers are rewritten to local ones.
    let localURLs: LocalURLRule?
    /// Whether upstream errors go out in the gateway's envelope.
    let mapsErrors: Bool
    let defaultBody: [UInt8]?
    let isValueOptional: Bool
    let firstByteTimeout: Duration
    let totalTimeout: Duration
    let firstByteNanoseconds: UInt64
    let totalNanoseconds: UInt64
    /// How long an answer or a body that passes through may be silent; nil where the configuration does not say.
    let idleNanoseconds: UInt64?
    let bodyBytesMax: Int
    let upgradesToWebSocket: Bool
    /// Whether the route serves gRPC calls, and nothing else.
    let isGRPC: Bool
    let locationMap: LocationMap?
    let retry: RetryRules
    let hedge: HedgePolicy?
    /// Whether there may be more than one attempt.
    let retriesOrHedges: Bool
    let credentials: RouteCredentials
    let hasCookieParameters: Bool
    let hasFixedParameters: Bool
    /// Whether the client's own `Authorization` may go upstream: never where the gateway has a credential for the
    /// upstream.
    let passesAuthorization: Bool
    let cache: CacheRoute?
    /// What the upstream is told of clients whose answers are not stored.
    let forwarded: ForwardedRule
    /// The group of bindings that store other values of the same upstream answer, and this one's place in it.
    let siblings: SiblingGroup.Place?
    /// Whether answers of the same upstream are stored or watched, which an unsafe request invalidates (RFC 9111 §4.4).
    let invalidates: Bool
    /// What a successful request does to other stored answers.
    let then: ThenRoute?
    let crossOrigin: CrossOriginRule?
    /// Whether access depends on the client: here, at a listener, or because it may send a key.
    let isGuarded: Bool
    /// Whether a client or this binding has a rate limit.
    let isMetered: Bool
    let meter: AdmissionMeter?
    let pause: UpstreamPause
    /// The parts of a composed binding, which has no upstream.
    let composition: CompositionPlan?
    /// What stands in for the upstream.
    let fixture: FixtureRoute?
    /// Whether a request upstream needs nothing but a connection: no credential, and no fixture.
    let leasesAtOnce: Bool

    /// What happens to the client's body on its way.
    enum BodyMode: Sendable {
        case pass
        case refuse
        /// Checked against this plan while it passes.
        case json(Plan)
        /// Read whole, checked field by field.
        case form([RouteParameter])
        /// Passed once its `Content-Type` is as declared.
        case typed(mediaType: String, charset: String?)
    }

    init(
        _ binding: Binding, at own: Int = 0, upstream: Upstream, position: Int, _ common: RouteCommon,
        meter: AdmissionMeter? = nil, pause: UpstreamPause = UpstreamPause(), siblings: SiblingGroup.Place? = nil,
        examples: [String: Route] = [:], feed: Route? = nil
    ) throws(PlanError) {
        composition = try CompositionPlan(binding, common)
        let ofAnswers = common.composing(binding)
        (self.binding, self.position, self.upstream) = (binding, own, position)
        (self.meter, self.pause, self.siblings) = (meter, pause, siblings)
        crossOrigin = binding.crossOrigin.map { CrossOriginRule($0) }
        isGuarded = binding.grants != nil || common.isGuarded || upstream.hasCredentialByClient(binding)
        isMetered = meter?.rate != nil || common.isMetered
        let headers = RequestFieldEdits.settings(binding, upstream)
        fields = RequestFieldEdits(headers, common.secrets)
        answerFields = AnswerFieldEdits(binding.answerHeaders.fields)
        secrets = try RouteSecrets(binding, headers, common)
        idempotencyField = binding.idempotencyKey.map { Array($0.field.utf8) }
        fixture = FixtureRoute(binding, examples: examples, common)
        pages = PageRule(binding, upstream)
        editsFields =
            pages?.isNumbered == true || !fields.renames.isEmpty || idempotencyField != nil || !examples.isEmpty
            || binding.watch != nil
        let parameters = try Self.parameters(of: binding, common)
        self.parameters = parameters
        graphQL = GraphQLQuery(binding, parameters)
        target = TargetPattern(binding, upstream: upstream, parameters: parameters)
        methodName = binding.upstreamMethod.map { Array($0.utf8) }

        let keys = binding.keys
        errors = ErrorRules(binding, upstream)
        answerPlan = try AnswerPlan(
            binding, value: binding.value, reported: errors.reported, pages: pages, keys: keys, ofAnswers)
        answerPlanByStatus = try Self.plansByStatus(of: binding, errors, pages, keys: keys, ofAnswers)
        isTyped = binding.value != nil || !binding.valueByStatus.isEmpty
        streamsRows = binding.rows?.delivery == .lines
        if case .events? = binding.rows?.format { readsEvents = true } else { readsEvents = false }
        follow = binding.follow ?? upstream.follow
        (wantsJSON, accepts) = (Self.wantsJSON(binding), Self.accepts(of: binding, upstream))
        bodyMode = try Self.bodyMode(of: binding, keys: keys, ofAnswers)
        bodyKeys = BodyKeys(binding, common.types)
        let wrap = graphQL == nil ? binding.wrap : []
        wrapOpening = graphQL?.opening ?? Array(wrap.map { "{" + JSONText.quote($0) + ":" }.joined().utf8)
        wrapClosing = Array(repeating: UInt8(ascii: "}"), count: graphQL == nil ? wrap.count : 1)
        localURLs = LocalURLRule(binding)
        mapsErrors = isTyped || binding.error != nil || !binding.errorByStatus.isEmpty
        defaultBody = binding.defaultJSON.map { Array($0.utf8) }
        isValueOptional = binding.value.map { common.types.isOptional($0) } ?? false
        let timeout = binding.timeout ?? upstream.timeout
        (firstByteTimeout, totalTimeout) = (timeout.firstByte, timeout.total)
        firstByteNanoseconds = timeout.firstByte.nanosecondsClamped
        totalNanoseconds = timeout.total.nanosecondsClamped
        idleNanoseconds = timeout.idle?.nanosecondsClamped
        locationMap = LocationMap(binding, upstream)
        (upgradesToWebSocket, isGRPC) = (binding.upgrade == .websocket, binding.upgrade == .grpc)
        bodyBytesMax = binding.bodyBytesMax ?? common.bodyBytesMax
        (retry, hedge) = (RetryRules(binding.retry, endpoints: upstream.endpoints.count), binding.hedge)
        retriesOrHedges = retry.attemptsMax > 1 || hedge != nil
        credentials = RouteCredentials(binding, upstream, common)
        leasesAtOnce = credentials.isNone && fixture == nil
        passesQuery = Self.passesQuery(binding) && credentials.parameters.isEmpty
        hasFixedParameters = parameters.contains(where: \.isFixed) || !credentials.parameters.isEmpty
        hasCookieParameters = parameters.contains { $0.location == .cookie }
        passesAuthorization = credentials.isNone && !common.isCredentialOurs(at: upstream)
        forwarded = common.forwarded(binding, upstream)
        cache = CacheRoute(
            binding, parameters: parameters, upstream: upstream, common, parts: composition?.text ?? "")
        then = ThenRoute(binding, common.allBindings)
        invalidates = common.storers.contains(upstream.name) || then != nil
        watch = WatchPlan(binding, upstream, common, parts: composition?.text ?? "", feed: feed)
    }

    private static func passesQuery(_ binding: Binding) -> Bool {
        binding.unknownParameters == .pass && !binding.parameters.contains { $0.location == .query }
    }

    /// What is cut out of an answer with this status; nil where nothing is.
    func answerPlan(for status: Int) -> Borrowed<AnswerPlan>? {
        if !answerPlanByStatus.isEmpty, let own = answerPlanByStatus[status] { return Borrowed(own) }
        return (200..<300).contains(status) ? answerPlan.borrowed : nil
    }

    /// Whether an answer with this status is cut and checked; some statuses have no body.
    func cuts(status: Int) -> Bool {
        ![204, 205, 304].contains(status) && answerPlan(for: status)?({ $0.valueSlice != nil }) == true
    }

    /// The parameters that are not members of the body.
    private static func parameters(
        of binding: Binding, _ common: RouteCommon
    ) throws(PlanError) -> [RouteParameter] {
        var parameters: [RouteParameter] = []
        var secretCount = 0
        for parameter in binding.parameters where parameter.location != .body {
            let marker = parameter.source == nil ? nil : RouteSecrets.marker(secretCount)
            if marker != nil { secretCount += 1 }
            parameters.append(
                try RouteParameter(parameter, in: binding.upstreamPath, marker: marker, types: common.types))
        }
        return parameters
    }

    private static func plansByStatus(
        of binding: Binding, _ errors: ErrorRules, _ pages: PageRule?, keys: KeyStyle, _ common: RouteCommon
    ) throws(PlanError) -> [Int: AnswerPlan] {
        var plans: [Int: AnswerPlan] = [:]
        for (status, value) in binding.valueByStatus {
            plans[status] = try AnswerPlan(
                binding, value: value, isError: status >= 400, reported: errors.reported,
                pages: status < 400 ? pages : nil, keys: keys, common)
        }
        return plans
    }

    private static func bodyMode(
        of binding: Binding, keys: KeyStyle, _ common: RouteCommon
    ) throws(PlanError) -> BodyMode {
        // The parts of a composed binding take the body in the form that clients send.
        let isComposed = binding.composition != nil
        func plan(_ type: TypeExpression, unknown: UnknownKeys) throws(PlanError) -> Plan {
            try Plan(
                [
                    Extraction(
                        path: FieldPath(components: []), type: isComposed ? type.localForm(keys) : type,
                        unknown: unknown, keys: keys, direction: .toUpstream)
                ], types: common.types, limits: common.limits, reportCount: binding.reportCount)
        }
        let inBody = binding.parameters.filter { $0.location == .body && !$0.isFixed }
        if !inBody.isEmpty || binding.body == .passThrough && binding.parameters.contains(where: \.isBodyMember) {
            let fields = inBody.map { parameter in
                ObjectType.Field(
                    name: parameter.name, from: parameter.upstreamName, type: parameter.type,
                    defaultJSON: parameter.defaultJSON ?? (parameter.null == .literal ? "null" : nil))
            }
            // Whether more parameters may come says nothing of the objects inside of them.
            let unknown: UnknownKeys =
                switch binding.unknownParameters {
                case .reject: .reject
                case .pass: .pass
                case .drop: .drop
                }
            let body = ObjectType(fields: fields, unknown: unknown)
            return .json(try plan(.object(body), unknown: binding.unknownKeys))
        }
        switch binding.body {
        case .passThrough: return .pass
        case .none: return .refuse
        case .json(let type): return .json(try plan(type, unknown: binding.unknownKeys))
        case .form(let object):
            var fields: [RouteParameter] = []
            for field in object.fields {
                let parameter = Parameter(
                    name: field.name, location: .body, type: field.type, defaultJSON: field.defaultJSON,
                    upstreamName: field.from)
                fields.append(try RouteParameter(parameter, mayBeAbsent: field.mayBeAbsent, types: common.types))
            }
            return .form(fields)
        case .text(let charset): return .typed(mediaType: "text/plain", charset: charset)
        case .raw(let mediaType): return .typed(mediaType: mediaType ?? "application/octet-stream", charset: nil)
        case .multipart: return .typed(mediaType: "multipart/form-data", charset: nil)
        }
    }
}
