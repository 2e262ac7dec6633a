import SluiceContract
import Testing

@testable import SluiceRules

/// A configuration that a program has put together, without any text, is checked like a file.
@Suite struct ConfigurationFindingsTests {
    private static func configuration(_ edit: (inout Configuration) throws -> Void) rethrows -> Configuration {
        var configuration = Configuration()
        configuration.upstreams = [Upstream(name: "fruit", origin: .tcp(host: "fruit.example", port: 443, tls: true))]
        let path = PathTemplate(segments: [[.text("a")]], hasRest: false)
        configuration.bindings = [Binding(methods: ["GET"], path: path, upstream: "fruit", upstreamPath: path)]
        try edit(&configuration)
        return configuration
    }

    private static func mistakes(_ edit: (inout Configuration) throws -> Void) rethrows -> [String] {
        try configuration(edit).findings.filter { $0.severity == .mistake }.map { "\($0.path): \($0.message)" }
    }

    @Test func nothingIsWrongAtFirst() {
        #expect(Self.configuration { _ in }.findings == [])
        #expect(Configuration().findings.map(\.description) == ["bindings: nothing is bound; add 'bindings:'"])
    }

    private static let spare = Credential(name: "spare", kind: TokenCredential(token: .value("x")))

    /// Where something is wrong, that may be what would have used it.
    @Test func nothingUnusedIsToldBesideMistakes() {
        let configuration = Self.configuration {
            $0.credentials = [Self.spare]
            $0.bindings[0].upstream = "friut"
        }
        #expect(configuration.findings.map { "\($0.message)" } == ["unknown upstream 'friut'"])
    }

    /// The least that is of any use is accepted.
    @Test func memoryOfTheCacheHasABound() {
        #expect(Self.configuration { $0.cache.memoryBytes = 65_536 }.findings == [])
        let mistakes = Self.mistakes { $0.cache.memoryBytes = 65_535 }
        #expect(mistakes == ["cache.memory: too little memory to store anything"])
    }

    private static let root = "bindings.\"GET /a\""

    @Test(
        arguments: [
            Edit<Binding>({ $0.upstream = "friut" }, "\(root).to: unknown upstream 'friut'"),
            Edit<Binding>({ $0.defaultJSON = "1" }, "\(root).default: 'default' has no meaning without 'value:'"),
            Edit<Binding>({ $0.holdBytes = -1 }, "\(root).hold: -1B is out of range"),
            Edit<Binding>({ $0.reportCount = 0 }, "\(root).report: 0 is out of range"),
            Edit<Binding>({ $0.value = .named("Itn") }, "\(root).value: unknown type 'Itn'"),
            Edit<Binding>(
                { ($0.value, $0.defaultJSON) = (.array(.scalar(.int)), "[1, \"x\"]") },
                "\(root).default[1]: the default is not of its type: the text 'x'"
            ),
            Edit<Binding>(
                { ($0.value, $0.defaultJSON) = (.scalar(.int), "[1") }, "\(root).default: '[1' is no JSON"
            ),
            Edit<Binding>(
                { $0.value = .union([.scalar(.json), .null]) },
                "\(root).value: JSON takes every value, so the other alternatives mean nothing"),
            Edit<Binding>({ $0.parent = FieldPath("a") }, "\(root).parent: 'parent' has no meaning without 'value:'"),
            Edit<Binding>({ $0.wrap = ["a"] }, "\(root).wrap: 'wrap' has nothing to wrap"),
            Edit<Binding>({ $0.body = .json(.scalar(.json)) }, "\(root).body: GET has no body"),
            Edit<Binding>({ $0.body = .raw(mediaType: "png") }, "\(root).body.raw: the text 'png' is no media type"),
            Edit<Binding>({ $0.answer = .echo }, "\(root).answer: there is nothing to echo"),
            Edit<Binding>(
                { $0.serve = [.fresh] },
                "\(root).serve: 'serve' has no end: nothing is answered where no rule applies"),
            Edit<Binding>(
                {
                    $0.cache = CachePolicy(); $0.cache?.key = ["x"]
                }, "\(root).cache.key: 'x' is no parameter of this binding"),
            Edit<Binding>(
                {
                    $0.cache = CachePolicy(); $0.cache?.vary = ["a b"]
                }, "\(root).cache.vary[0]: 'a b' is no field name"),
            Edit<Binding>(
                {
                    $0.retry = RetryPolicy(); $0.retry?.attempts = 11
                }, "\(root).retry.attempts: 11 is out of range"),
            Edit<Binding>({ $0.hedge = .percentile(5) }, "\(root).hedge: the text 'p5' does not say when to hedge"),
            Edit<Binding>(
                { $0.upgrade = .grpc }, "\(root).upgrade: grpc begins with a POST, which this binding does not take"),
            Edit<Binding>({ $0.grants = Grants(clients: ["ci"]) }, "\(root).allow.client[0]: there is no client 'ci'"),
            Edit<Binding>({ $0.rate = RateLimit(0, per: .seconds(1)) }, "\(root).rate: 0/s is no rate"),
            Edit<Binding>({ $0.concurrency = ConcurrencyLimit(0) }, "\(root).concurrency.limit: 0 is out of range"),
            Edit<Binding>(
                {
                    $0.timeout = UpstreamTimeouts(); $0.timeout?.total = .zero
                }, "\(root).timeout.total: a wait of nothing never succeeds"),
            Edit<Binding>(
                { $0.error = ErrorPaths(message: FieldPath("a.*")) },
                "\(root).error.message: '*' in 'a.*' yields many values where one is wanted"),
            Edit<Binding>(
                { $0.headers = [.init(name: "Host", value: "x")] },
                "\(root).headers.Host: field 'Host' cannot be set here"),
            Edit<Binding>(
                { $0.headers = [.init(name: "X-A", value: "x\n")] },
                "\(root).headers.X-A: this cannot be the value of 'X-A'"),
            Edit<Binding>(
                { $0.keep = .init(bearer: FieldPath(components: [.wildcard])) },
                "\(root).keep.bearer: '*' in '*' yields many values where one is wanted"
            ),
            Edit<Binding>(
                { $0.parameters = [Parameter(name: "x", location: .path, type: .scalar(.int))] },
                "\(root).params.x: path parameter 'x' has no place"
            ),
            Edit<Binding>(
                { $0.parameters = [Parameter(name: "x", location: .query, type: .scalar(.json))] },
                "\(root).params.x: a value of type JSON cannot stand in a query"
            ),
            Edit<Binding>(
                { $0.parameters = [Parameter(name: "x", location: .query, type: .scalar(.int), defaultJSON: "true")] },
                "\(root).params.x.default: the default is not of its type: the text 'true'"
            ),
        ] as [Edit<Binding>])
    fileprivate func bindings(_ edit: Edit<Binding>) {
        let mistakes = Self.mistakes { edit.change(&$0.bindings[0]) }
        #expect(mistakes.contains(edit.message), "\(mistakes)")
    }

    @Test(
        arguments: [
            Edit<Configuration>(
                { $0.bindings.append($0.bindings[0]) },
                "bindings.\"GET /a\": 'GET /a' is bound already, in bindings.\"GET /a\""),
            Edit<Configuration>(
                { $0.bindings[0].methods = ["GTE"] }, "bindings.\"GTE /a\": 'GTE' is no method that can be bound"),
            Edit<Configuration>(
                { $0.bindings[0].path.segments = [[.text("a b")]] },
                "bindings.\"GET /a b\": ' ' needs percent-encoding in path '/a b'"
            ),
            Edit<Configuration>(
                { $0.upstreams.append($0.upstreams[0]) }, "upstreams.fruit: upstream 'fruit' stands twice"),
            Edit<Configuration>(
                { $0.upstreams[0].origin = .tcp(host: "a b", port: 1, tls: true) },
                "upstreams.fruit.url[0]: 'a b' is no host"),
            Edit<Configuration>(
                { $0.upstreams[0].origin = .tcp(host: "a", port: 0, tls: true) },
                "upstreams.fruit.url[0]: 0 is no port"),
            Edit<Configuration>(
                { $0.upstreams[0].basePath = "/a/../b" },
                "upstreams.fruit.url[0]: dot segments have no place in an upstream's URL"),
            Edit<Configuration>(
                { $0.upstreams[0].bearer = .value("a b") },
                "upstreams.fruit.bearer.value: the token holds a character that no field can"),
            Edit<Configuration>(
                { $0.bindings[0].crossOrigin = CrossOriginPolicy(.list(["a.example"])) },
                "bindings.\"GET /a\".cors.origins[0]: 'a.example' is no origin"),
            Edit<Configuration>({ $0.upstreams[0].name = "a b" }, "upstreams.\"a b\": 'a b' cannot name an upstream"),
            Edit<Configuration>(
                { $0.upstreams[0].httpVersion = .h2c },
                "upstreams.fruit.protocol: 'protocol: h2c' is HTTP/2 without TLS, and this url has TLS"),
            Edit<Configuration>(
                { $0.upstreams[0].alternates = [.unix(path: "/a")] },
                "upstreams.fruit.url[1]: the scheme is not that of the first endpoint"),
            Edit<Configuration>(
                { $0.upstreams[0].host = .fixed("a b") }, "upstreams.fruit.host: 'a b' cannot be a Host"),
            Edit<Configuration>(
                { $0.upstreams[0].connectionsMax = 0 }, "upstreams.fruit.pool.connections: 0 is out of range"),
            Edit<Configuration>(
                { $0.upstreams[0].tls.certificate = "/a" },
                "upstreams.fruit.tls: a client certificate needs its key, and a key its certificate"),
            Edit<Configuration>(
                { $0.upstreams[0].health = HealthPolicy(path: "up") }, "upstreams.fruit.health.path: 'up' is no path"),
            Edit<Configuration>(
                {
                    $0.upstreams[0].breaker = BreakerPolicy(); $0.upstreams[0].breaker?.failures = 0
                }, "upstreams.fruit.breaker.failures: 0 is out of range"),
            Edit<Configuration>(
                { $0.upstreams[0].retryBudget.sharePercent = 101 },
                "upstreams.fruit.retry-budget.share: the text '101%' where a share is wanted"),
            Edit<Configuration>(
                { $0.upstreams[0].acceptedCodings = [.gzip, .gzip] },
                "upstreams.fruit.accept-encoding[1]: 'gzip' stands twice"),
            Edit<Configuration>(
                { $0.types = [.init(name: "t", type: .scalar(.int))] }, "types.t: 't' cannot name a type"),
            Edit<Configuration>(
                { $0.types = [.init(name: "T", type: .named("T"))] }, "types.T: type 'T' only names itself: T → T"),
            Edit<Configuration>(
                {
                    let fields = [
                        ObjectType.Field(name: "a", type: .scalar(.int)), .init(name: "b", from: "a", type: .null),
                    ]
                    $0.types = [.init(name: "T", type: .object(ObjectType(fields: fields)))]
                }, "types.T: two fields are read from the key 'a'"
            ),
            Edit<Configuration>({ $0.listen = [] }, "listen: nothing is listened on"),
            Edit<Configuration>({ $0.listen += $0.listen }, "listen[1]: '127.0.0.1:8080' is listened on twice"),
            Edit<Configuration>(
                { $0.listen = [Listener(.tcp(host: "a.example", port: 1))] },
                "listen[0].address: 'a.example' is a name, not an address"),
            Edit<Configuration>(
                { $0.listen = [Listener(.unix(path: "a"))] }, "listen[0].address: 'a' is no path for a socket"),
            Edit<Configuration>({ $0.listen[0].mode = 0o600 }, "listen[0].mode: 'mode' is for Unix sockets"),
            Edit<Configuration>(
                { $0.listen[0].grants = Grants(users: [0]) },
                "listen[0].allow: users and groups are known at Unix sockets only"),
            Edit<Configuration>(
                {
                    $0.listen = [Listener(.unix(path: "/a"))]; $0.admin = "/a"
                }, "admin: '/a' is listened on under 'listen:' already"),
            Edit<Configuration>({ $0.hosts = .names(["a b"]) }, "hosts[0]: 'a b' is no host name"),
            Edit<Configuration>({ $0.loops = 0 }, "loops: 0 is out of range"),
            Edit<Configuration>({ $0.limits.jsonDepth = 0 }, "limits.json-depth: 0 is out of range"),
            Edit<Configuration>(
                { $0.limits.headerTimeout = .zero }, "limits.header-timeout: a wait of nothing never succeeds"),
            Edit<Configuration>(
                { $0.limits.keepAlive = .seconds(Int64.max) },
                "limits.keep-alive: 9223372036854775807s is out of range"),
            Edit<Configuration>({ $0.cache.memoryBytes = 1 }, "cache.memory: too little memory to store anything"),
            Edit<Configuration>(
                { $0.clients = [.init(name: "a", keyDigests: [[1]])] },
                "clients.a.key[0]: this is no SHA-256 of a key"),
            Edit<Configuration>(
                { $0.envelope = .template(.object([.init(key: "e", value: .string("{kimd}"))])) },
                "envelope.e: unknown placeholder '{kimd}'"),
            Edit<Configuration>({ $0.clientRate = RateLimit(1, per: .zero) }, "client-rate: 1/0ms is no rate"),
        ] as [Edit<Configuration>])
    fileprivate func gateways(_ edit: Edit<Configuration>) {
        let mistakes = Self.mistakes(edit.change)
        #expect(mistakes.contains(edit.message), "\(mistakes)")
    }

    @Test(
        arguments: [
            Edit<Configuration>({ $0.bindings[0].early = true }, "'early' has no effect without 'value:'"),
            Edit<Configuration>({ $0.upstreams[0].tls.verify = false }, "the upstream's certificate is not verified"),
            Edit<Configuration>(
                { $0.types = [.init(name: "T", type: .scalar(.int))] }, "type 'T' is not used by any binding"),
            Edit<Configuration>({ $0.bindings[0].sendsBearer = false }, "upstream 'fruit' has no bearer"),
            Edit<Configuration>({ $0.credentials = [spare] }, "credential 'spare' is not used"),
            Edit<Configuration>(
                { $0.listen = [Listener(.tcp(host: "0.0.0.0", port: 1))] },
                "'0.0.0.0:1' can be reached from other machines, and with it every upstream's bearer"
            ),
            Edit<Configuration>(
                {
                    $0.bindings[0].crossOrigin = CrossOriginPolicy(.any); $0.bindings[0].crossOrigin?.credentials = true
                },
                "every page on the web may use this with the user's cookies"
            ),
        ] as [Edit<Configuration>])
    fileprivate func warnings(_ edit: Edit<Configuration>) {
        let warnings = Self.configuration(edit.change).findings.filter { $0.severity == .warning }
        #expect(warnings.map(\.message.description) == [edit.message])
    }

    /// An alias that leads nowhere is told, and what stands for it hangs nothing.
    @Test func circlesEnd() {
        let mistakes = Self.mistakes {
            $0.types = [.init(name: "T", type: .union([.named("T"), .scalar(.int)]))]
            $0.bindings[0].value = .named("T")
            $0.bindings[0].defaultJSON = "\"x\""
            $0.bindings[0].parent = FieldPath("a.*")
            $0.bindings[0].parameters = [Parameter(name: "p", location: .query, type: .named("T"))]
        }
        #expect(mistakes == ["types.T: type 'T' only names itself: T → T"])
    }
}

/// A change of a configuration in which nothing is wrong, and what is told of it.
private struct Edit<Model>: Sendable {
    let change: @Sendable (inout Model) -> Void
    let message: String

    init(_ change: @escaping @Sendable (inout Model) -> Void, _ message: String) {
        self.change = change
        self.message = message
    }
}
