internal import SluiceCache
internal import SluiceContract
internal import SluiceJSON

/// What all routes of a table need of the configuration around them, worked out once.
struct RouteCommon {
    let types: NamedTypes
    /// Stands for all that the types say, the same in every process.
    let typesDigest: String
    /// What bindings that store say, in words.
    let texts = BindingTexts()
    let limits: JSONLimits
    let bodyBytesMax: Int
    let rowBytesMax: Int
    /// Upstreams whose token some binding keeps.
    let keepers: Set<String>
    let credentials: [Credential]
    let credentialPositions: [String: Int]
    /// Upstreams of which some binding stores answers.
    let storers: Set<String>
    /// Whether it matters who asks, whatever the binding: at a listener, or because a key may come along.
    let isGuarded: Bool
    /// Whether a client may be asked for too much.
    let isMetered: Bool
    /// Variables and files that requests get values from.
    let secrets: [TokenSource]

    init(_ configuration: Configuration) {
        types = NamedTypes(configuration.types)
        secrets = configuration.secrets
        limits = JSONLimits(configuration.limits)
        bodyBytesMax = configuration.limits.bodyBytes
        rowBytesMax = configuration.limits.rowBytes
        keepers = Set(configuration.bindings.lazy.filter { $0.keep != nil }.map(\.upstream))
        credentials = configuration.shownCredentials
        credentialPositions = Dictionary(zip(credentials.map(\.name), 0...)) { first, _ in first }
        storers = Set(configuration.bindings.lazy.filter { $0.cache != nil }.map(\.upstream))
        isGuarded = !configuration.clients.isEmpty || configuration.listen.contains { $0.grants != nil }
        isMetered = configuration.clientRate != nil || configuration.clients.contains { $0.rate != nil }
        guard !storers.isEmpty else {
            typesDigest = ""
            return
        }
        var hash = SipHash(0, 0)
        var text = ""
        for definition in configuration.types { text += "\(definition.name): \(texts.text(of: definition.type))\n" }
        text.withUTF8 { hash.combine(UnsafeRawBufferPointer($0)) }
        let digest = hash.finish()
        typesDigest = "\(digest.0) \(digest.1)"
    }
}
