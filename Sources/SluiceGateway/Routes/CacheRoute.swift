internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// `cache:` of a binding, compiled for serving.
final class CacheRoute: Sendable {
    let policy: CachePolicy
    let serve: [Binding.ServeRule]
    /// Whether a fresh stored answer goes out unchanged to every client.
    let servesFresh: Bool
    /// Stands for the binding in every key: a hash of all its settings, so that a changed binding finds no old answers.
    let salt: (UInt64, UInt64)
    /// Fields that select among answers, in lower case.
    let varyNames: [[UInt8]]
    /// Positions of the parameters that make the key together with the path of the target; nil where the whole target
    /// does.
    let keyParameters: [Int]?
    /// Parameters that are not part of the target: header fields, cookies, and variables of GraphQL.
    let fieldParameters: [Int]
    /// Whether the requested host is part of the key, though no upstream is told of it (`vary: [Host]`).
    let variesOnHost: Bool
    /// Whether the scheme is part of the key too: URLs in answers begin with the scheme and host that the client used.
    let variesOnScheme: Bool
    /// Positions of the routes that the composed answer is made of; none where the binding has no parts.
    let partRoutes: [Int]
    /// What the upstream is told of a client whose answer may be stored.
    private let forwarded: ForwardedRule
    private let namedForwarded: ForwardedRule
    let retryNanoseconds: UInt64?
    /// How long a client waits for an answer before it is told that the answer is loading; nil waits as long as it
    /// takes.
    let patienceNanoseconds: UInt64?
    let storesSetCookie: Bool
    let isTyped: Bool
    let source: EntryLabel.Source
    /// Names by which the `then:` of other bindings invalidates answers of this one; none where no binding does.
    let writtenNames: [[UInt8]]

    /// - Parameter parts: the settings of the bindings that a composed binding is made of, as text.
    init?(
        _ binding: Binding, parameters: [RouteParameter], upstream: Upstream, _ common: RouteCommon, parts: String
    ) {
        guard let policy = binding.cache else { return nil }
        self.policy = policy
        serve = binding.serve
        servesFresh = binding.serve.contains(.fresh) && binding.compression == nil
        isTyped = binding.value != nil || !binding.valueByStatus.isEmpty
        let own = policy.vary.map { Array($0.lowercased().utf8) }
        varyNames = own + (binding.composition.map { common.fields(partsOf: $0) } ?? [])
        variesOnScheme =
            !binding.localURLs.isEmpty || binding.composition.map { common.partsNameTheHost(of: $0) } ?? false
        variesOnHost = variesOnScheme || varyNames.contains(Array("host".utf8))
        partRoutes = binding.composition.map { common.positions(partsOf: $0) } ?? []
        let told = common.forwarded(binding, upstream)
        let storing = common.policy(binding) ?? policy
        forwarded = told.storing(storing)
        namedForwarded = told.storing(storing, isNamed: true)
        // The path always belongs to the key, whatever `key:` leaves out.
        let inPath = binding.path.placeholders
        keyParameters = policy.key.map { names in
            parameters.indices.filter { names.contains(parameters[$0].name) || inPath.contains(parameters[$0].name) }
        }
        fieldParameters = parameters.indices.filter {
            let isField = parameters[$0].location == .header || parameters[$0].location == .cookie
            // GraphQL variables are sent in a body.
            return isField || binding.graphQL != nil && !parameters[$0].isInPath
        }
        let isLoading = binding.serve.contains(.loading)
        patienceNanoseconds = isLoading ? binding.patience.nanosecondsClamped : nil
        // A client that was told to ask again has to get an error that came meanwhile.
        let keptError = policy.retryAfterError ?? (isLoading ? Self.errorKept : nil)
        retryNanoseconds = keptError.map { $0.nanosecondsClamped }
        storesSetCookie = binding.storesSetCookie
        writtenNames = common.writtenNames(of: binding)
        source = EntryLabel.Source(binding: binding.name, tags: policy.tags)
        var hash = SipHash(0, 0)
        var text = common.texts.text(of: binding, upstream)
        if isTyped { text += common.typesDigest }
        text += parts
        text.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
        salt = hash.finish()
    }

    /// How long an error is kept for clients that ask again, without `retry-after-error:`.
    private static let errorKept = Duration.seconds(5)

    /// - Parameter isNamed: whether the client is known by name; evaluated only where the rule depends on it.
    func forwarded(isNamed: @autoclosure () -> Bool) -> ForwardedRule {
        policy.isPrivate && isNamed() ? namedForwarded : forwarded
    }
}
