import SluiceContract
import SluiceRules

/// `shared:` of the gateway's `cache:`: a URL, or a mapping with one.
enum SharedStoreSection {
    static let section = Section(
        name: "store.shared", summary: "A Redis or Valkey that several gateways use",
        keys: [
            .required(
                "url", .text(),
                "`redis://HOST`, `redis://USER:PASSWORD@HOST:PORT/DATABASE`, or `redis:///PATH` of a Unix socket; "
                    + "`rediss://` with TLS"),
            .init("password", .section(password), "Its password, where it does not stand in the URL"),
            .init(
                "tls", .section(ClientTLSSection.section), default: "{}", "Certificates towards a server with TLS"),
        ] + CacheSettings.SharedStore.keys,
        holdsSecrets: true)

    static let password = Section(
        name: "store.shared.password", summary: "Where the password comes from; exactly one of the keys",
        keys: BearerSection.section.keys.map { key in
            var key = key
            if key.name == "value" { key.summary = "The password itself" }
            return key
        },
        holdsSecrets: true)

    /// - Returns: the settings of the shared store; nil where there is no valid URL.
    private static func read(_ node: SourceNode, _ context: ReadingContext) -> Layer<CacheSettings.SharedStore>? {
        if node.entries == nil { return url(node, context).map { layer($0) } }
        var result: Layer<CacheSettings.SharedStore>?
        Fields.read(node, section, context) { fields in
            let shared = fields.required("url").flatMap { url($0, context) }
            var layer = layer(shared ?? .usual)
            if fields.has("password"), shared?.password != nil {
                context.findings.mistake(
                    at: fields.keyPlace("password"), "the URL holds a password already", expected: "one of them")
            }
            fields.say("password", \.password, in: &layer) { BearerSection.read($0, context, noun: "password") }
            if fields.has("tls"), shared != nil, shared?.tls == nil {
                context.findings.mistake(
                    at: fields.keyPlace("tls"), "the URL asks for no TLS", expected: "a URL with rediss://")
            }
            fields.say("tls", part: \.tls, in: &layer)
            fields.read(CacheSettings.SharedStore.settings, into: &layer)
            if shared != nil { result = layer }
        }
        return result
    }

    private static func layer(_ shared: CacheSettings.SharedStore) -> Layer<CacheSettings.SharedStore> {
        var layer = Layer<CacheSettings.SharedStore>()
        layer.say("url") { model, _ in model = shared }
        return layer
    }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<CacheSettings.SharedStore>? {
        read(node, context).map { .layer($0) }
    }

    private static let portUsual = 6379
    private static let expected = "redis://HOST:PORT, redis://USER:PASSWORD@HOST:PORT/DATABASE or redis:///PATH"

    /// Messages repeat nothing of the text: it may hold a password.
    private static func url(_ node: SourceNode, _ context: ReadingContext) -> CacheSettings.SharedStore? {
        guard let text = context.text(node, what: "a URL such as redis://127.0.0.1:6379") else { return nil }
        func mistake(_ what: String, _ advice: String? = nil) -> CacheSettings.SharedStore? {
            context.findings.mistake(
                at: node.place, what, expected: expected, suggestion: advice.map { .advice($0) })
            return nil
        }
        guard let scheme = ["redis://", "rediss://"].first(where: text.hasPrefix) else {
            return mistake("the URL does not begin with redis:// or rediss://")
        }
        let isTLS = scheme == "rediss://"
        let rest = text.dropFirst(scheme.count)
        if rest.contains(where: { "?#".contains($0) }) { return mistake("the URL has a query or a fragment") }
        if rest.hasPrefix("/") {
            if isTLS { return mistake("TLS is not spoken over a Unix socket", "write redis:// before the path") }
            return rest.count > 1 ? CacheSettings.SharedStore(.unix(String(rest))) : mistake("the URL has no path")
        }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = parts[0]
        let at = authority.lastIndex(of: "@")
        guard let address = address(at.map { authority[authority.index(after: $0)...] } ?? authority) else {
            return mistake("the URL names no host")
        }
        if case .tcp(_, let port) = address, !(1...65_535).contains(port) {
            return mistake("the URL's port is none; there are those from 1 to 65535")
        }
        var shared = CacheSettings.SharedStore(address)
        if isTLS { shared.tls = .init() }
        if let at, !credentials(authority[..<at], &shared) { return mistake("the URL's user or password is malformed") }
        if parts.count > 1, !parts[1].isEmpty {
            guard let database = HostPort.decimal(parts[1]) else { return mistake("the database is not a number") }
            shared.database = database
        }
        return shared
    }

    private static func address(_ text: Substring) -> CacheSettings.SharedStore.Address? {
        if text.isEmpty || text.hasPrefix(":") { return nil }
        if let (host, port) = HostPort.split(String(text)) { return .tcp(host: host, port: port) }
        if let (host, port) = HostPort.split(text + ":\(portUsual)") { return .tcp(host: host, port: port) }
        return nil
    }

    /// `user:password`, `:password` or `user`, percent-encoded (RFC 3986 §3.2.1).
    private static func credentials(_ text: Substring, _ shared: inout CacheSettings.SharedStore) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = PercentText.decoded(parts[0]) else { return false }
        if !user.isEmpty { shared.user = user }
        if parts.count > 1, !parts[1].isEmpty {
            guard let password = PercentText.decoded(parts[1]) else { return false }
            shared.password = .value(password)
        }
        return true
    }
}
