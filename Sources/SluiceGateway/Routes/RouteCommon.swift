internal import SluiceCache
internal import SluiceContract
internal import SluiceJSON

/// What all routes of a table need of the configuration around them, worked out once.
struct RouteCommon {
    var types: NamedTypes
    /// A hash of all named types.
    let typesDigest: String
    /// Makes the texts that stand for bindings in cache keys.
    let texts: BindingTexts
    let limits: JSONLimits
    let bodyBytesMax: Int
    let rowBytesMax: Int
    /// Upstreams whose token is taken from an answer by some binding (`keep:`).
    let keepers: Set<String>
    let credentials: [Credential]
    let credentialPositions: [String: Int]
    /// Upstreams of which some binding stores or watches answers.
    let storers: Set<String>
    /// Whether access depends on the client for every binding: at a listener, or because it may send a key.
    let isGuarded: Bool
    /// Whether clients have rate limits.
    let isMetered: Bool
    /// Variables and files whose values are put into requests.
    let secrets: [TokenSource]
    /// The bindings that parts may request; none where there are no compositions.
    let bindings: [Binding]
    /// The bindings that `then:` may name.
    let allBindings: [Binding]
    private let upstreams: [String: Upstream]
    /// Named types as composed bindings see them.
    private let localDefinitions: [TypeDefinition]
    private let localTypes: NamedTypes
    private(set) var fixtures: FixtureUse
    let recordings: RecordingIndex?
    let definitions: [TypeDefinition]
    /// Names of all that `then:` of some binding invalidates, as ``ThenRoute`` writes them.
    let writtenNames: Set<[UInt8]>

    init(_ configuration: Configuration) {
        types = NamedTypes(configuration.types)
        texts = BindingTexts(arePortable: configuration.cache.diskPath != nil || configuration.cache.shared != nil)
        bindings = configuration.hasCompositions ? configuration.bindings : []
        allBindings = configuration.bindings
        upstreams = Dictionary(configuration.servedUpstreams.map { ($0.name, $0) }) { first, _ in first }
        localDefinitions = configuration.hasCompositions ? LocalTypes(configuration).definitions : []
        localTypes = NamedTypes(localDefinitions)
        secrets = configuration.secrets
        definitions = configuration.types
        let effects = configuration.bindings.compactMap(\.then)
        writtenNames = Set(
            effects.flatMap { $0.invalidate.map(ThenRoute.name(ofBinding:)) + $0.tags.map(ThenRoute.name(ofTag:)) })
        fixtures = configuration.fixtures
        if case .replay(let recordings) = configuration.fixtures {
            self.recordings = RecordingIndex(recordings)
        } else {
            recordings = nil
        }
        limits = JSONLimits(configuration.limits)
        bodyBytesMax = configuration.limits.bodyBytes
        rowBytesMax = configuration.limits.rowBytes
        keepers = Set(configuration.bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        credentials = configuration.shownCredentials
        credentialPositions = Dictionary(zip(credentials.map(\.name), 0...)) { first, _ in first }
        // A change to a part's upstream also changes what is stored of the composed answer.
        let all = configuration.bindings
        let kept = all.indices.filter { all[$0].cache != nil || all[$0].watch != nil }
        storers = Set(all.sources(of: kept).map { all[$0].upstream })
        isGuarded = !configuration.clients.isEmpty || configuration.listen.contains { $0.grants != nil }
        isMetered = configuration.clientRate != nil || configuration.clients.contains { $0.rate != nil }
        guard !storers.isEmpty else {
            typesDigest = ""
            return
        }
        var hash = SipHash(0, 0)
        var text = texts.text(of: configuration.types)
        text.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
        let digest = hash.finish()
        typesDigest = "\(digest.0) \(digest.1)"
    }

    /// The same for a composed binding, which sees types in the form that local clients get.
    func composing(_ binding: Binding) -> RouteCommon {
        if binding.composition == nil { return self }
        var common = self
        common.types = localTypes
        return common
    }

    /// Whether the gateway has a credential for the upstream, even if another binding obtains it.
    func isCredentialOurs(at upstream: Upstream) -> Bool {
        upstream.credential != nil || upstream.bearer != nil || keepers.contains(upstream.name)
    }

    /// The same for named fixtures: a client that chooses one gets it even where the upstream can be reached.
    var ofExamples: RouteCommon {
        guard case .missing = fixtures else { return self }
        var common = self
        common.fixtures = .all
        return common
    }

    /// The definitions of the named types in a binding's value.
    func definitions(of binding: Binding) -> [TypeDefinition] {
        binding.composition == nil ? definitions : localDefinitions
    }

    /// Names by which `then:` invalidates the answers of a binding; none where no binding does.
    func writtenNames(of binding: Binding) -> [[UInt8]] {
        if writtenNames.isEmpty { return [] }
        // A change of a part's resource also invalidates what is composed of it.
        let parts = binding.composition.map { sources(of: $0).map(\.name) } ?? []
        let names = ([binding.name] + parts).map(ThenRoute.name(ofBinding:))
        let tags = (binding.cache?.tags ?? []).map(ThenRoute.name(ofTag:))
        return (names + tags).filter { writtenNames.contains($0) }
    }

    /// Request fields that the answers of some parts, and of their own parts, depend on, in lower case.
    func fields(partsOf composition: Composition) -> [[UInt8]] {
        sources(of: composition).flatMap { binding in
            let own = binding.parameters.flatMap { parameter -> [String] in
                switch parameter.location {
                case .header: [parameter.name, parameter.upstreamName ?? parameter.name]
                case .cookie: ["cookie"]
                default: []
                }
            }
            return (own + (binding.cache?.vary ?? [])).map { Array($0.lowercased().utf8) }
        }
    }

    /// What upstreams are told of the clients of a binding, including the upstreams of its parts.
    func forwarded(_ binding: Binding, _ upstream: Upstream) -> ForwardedRule {
        let own = ForwardedRule(upstream)
        guard let composition = binding.composition else { return own }
        return sources(of: composition).reduce(own) { rule, source in
            upstreams[source.upstream].map { rule.union(ForwardedRule($0)) } ?? rule
        }
    }

    /// `cache:` of a binding, with the `vary:` of all its parts.
    func policy(_ binding: Binding) -> CachePolicy? {
        guard var policy = binding.cache, let composition = binding.composition else { return binding.cache }
        policy.vary += sources(of: composition).flatMap { $0.cache?.vary ?? [] }
        return policy
    }

    /// Whether the answer of some part depends on the host and scheme that the client used.
    func partsNameTheHost(of composition: Composition) -> Bool {
        sources(of: composition).contains { binding in
            !binding.localURLs.isEmpty || upstreams[binding.upstream]?.host == .client
        }
    }

    /// All settings of the bindings of some parts, and of their own parts, as text.
    func partsText(of composition: Composition) -> String {
        sources(of: composition)
            .map { binding in upstreams[binding.upstream].map { texts.text(of: binding, $0) } ?? "" }
            .joined(separator: " ")
    }

    /// The bindings of some parts, and of their own parts.
    private func sources(of composition: Composition) -> [Binding] {
        positions(partsOf: composition).map { bindings[$0] }
    }

    /// Positions of the routes of the parts, and of their own parts.
    func positions(partsOf composition: Composition) -> [Int] {
        let targets = composition.parts.compactMap { $0.target(among: bindings)?.binding }
        return bindings.sources(of: Set(targets).sorted())
    }
}
