import HTTP2Wire
import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// What an upstream is told of a client, and whom a stored answer may go to (RFC 9111 §2): a client gets another's
/// answer only where the upstream would have been told the same.
@Suite struct ForwardedFieldsTests {
    /// A client, and all that could be told of it.
    struct Asker: Sendable, CustomTestStringConvertible {
        var host = "a.test"
        var isTLS = false
        var address = "10.0.0.1"
        var fields: [String] = []

        var testDescription: String { "\(host) \(isTLS) \(address) \(fields)" }
    }

    static let asker = Asker(fields: forwarded.map { "\($0): x" })
    static let forwarded = [
        "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-IP", "X-Forwarded-Port",
        "X-Forwarded-Prefix", "X-Forwarded-Server",
    ]
    /// Those that differ from it in one thing.
    static let others: [Asker] =
        [
            Asker(host: "b.test", fields: asker.fields), Asker(host: "a.test:81", fields: asker.fields),
            Asker(isTLS: true, fields: asker.fields), Asker(address: "10.0.0.2", fields: asker.fields),
            Asker(address: "", fields: asker.fields), Asker(),
        ]
        + forwarded.indices.map { index in
            Asker(fields: asker.fields.enumerated().map { $0.offset == index ? forwarded[index] + ": y" : $0.element })
        }

    struct Setting: Sendable, CustomTestStringConvertible {
        var forwarded: Upstream.ForwardedFields
        var host: Upstream.HostField
        var isPrivate = false
        var vary: [String] = []
        var isTyped = false

        var testDescription: String { "\(forwarded) \(host) \(isPrivate) \(vary) \(isTyped)" }
    }

    static let settings: [Setting] = Upstream.ForwardedFields.allCases.flatMap { forwarded in
        [Upstream.HostField.upstream, .client, .fixed("fixed.test")].flatMap { host in
            [
                Setting(forwarded: forwarded, host: host), Setting(forwarded: forwarded, host: host, isTyped: true),
                Setting(forwarded: forwarded, host: host, isPrivate: true),
                Setting(forwarded: forwarded, host: host, vary: ["X-Forwarded-For"]),
                Setting(forwarded: forwarded, host: host, vary: ["forwarded"]),
            ]
        }
    }

    static func bench(_ setting: Setting, isStored: Bool = true) throws -> Bench {
        let binding = try Build.binding("ANY /a", to: "fruit /a", value: setting.isTyped ? "JSON" : nil) {
            $0.cache = isStored ? StoredAnswerExam.policy : nil
            $0.cache?.isPrivate = setting.isPrivate
            $0.cache?.vary = setting.vary
        }
        let upstream = Build.upstream {
            $0.forwarded = setting.forwarded
            $0.host = setting.host
        }
        return try Bench(Build.configuration([binding], upstreams: [upstream]) { $0.hosts = .any })
    }

    static func ask(_ bench: Bench, _ asker: Asker, _ method: String = "GET") -> ClientPeer {
        let client = bench.client(address: asker.address, isTLS: asker.isTLS)
        let lines = asker.fields.map { $0 + "\r\n" }.joined()
        client.request("\(method) /a HTTP/1.1\r\nHost: \(asker.host)\r\n\(lines)\r\n")
        return client
    }

    /// All that the upstream is told where this client asks first.
    static func told(_ setting: Setting, _ asker: Asker) throws -> [Message.Field] {
        let bench = try bench(setting)
        let client = ask(bench, asker)
        defer { client.reset() }
        return try bench.forwarded().fields
    }

    static func requests(_ bench: Bench) -> Int { bench.origins.reduce(0) { $0 + $1.requests.count } }

    /// Stored, and still on its way.
    @Test(arguments: settings, [false, true])
    func nobodyGetsWhatWasMadeForAnother(setting: Setting, isUnderWay: Bool) throws {
        let first = try Self.told(setting, Self.asker)
        for other in Self.others {
            let bench = try Self.bench(setting)
            let clients = [Self.ask(bench, Self.asker)]
            if !isUnderWay { try bench.origin().answer(200, body: "1") }
            let last = Self.ask(bench, other)
            if Self.requests(bench) == 1 {
                #expect(try Self.told(setting, other) == first, "\(other.testDescription) shares")
            }
            for client in clients + [last] { client.reset() }
        }
    }

    /// The other way round: where the upstream is told nothing of it, it is no reason to ask again.
    @Test(arguments: settings)
    func whatIsNotToldKeepsNobodyApart(setting: Setting) throws {
        if setting.isPrivate || !setting.vary.isEmpty { return }
        let first = try Self.told(setting, Self.asker)
        for other in Self.others where try Self.told(setting, other) == first {
            let bench = try Self.bench(setting)
            Self.ask(bench, Self.asker).reset()
            let client = Self.ask(bench, Self.asker)
            try bench.origin().answer(200, body: "1")
            let last = Self.ask(bench, other)
            #expect(last.answers.first?["Cache-Status"]?.contains("hit") == true, "\(other.testDescription)")
            for client in [client, last] { client.reset() }
        }
    }

    /// A client's address would leave nothing to share: it goes along only where answers are kept apart by it.
    @Test(
        arguments: [
            (Setting(forwarded: .both, host: .upstream), nil, nil, "proto=http;host=\"a.test\""),
            (
                Setting(forwarded: .both, host: .upstream, isPrivate: true), "10.0.0.1", nil,
                "for=10.0.0.1;proto=http;host=\"a.test\""
            ),
            (
                Setting(forwarded: .both, host: .upstream, vary: ["x-forwarded-for"]), "10.0.0.1", nil,
                "for=10.0.0.1;proto=http;host=\"a.test\""
            ),
            (Setting(forwarded: .pass, host: .upstream), nil, nil, nil),
            (Setting(forwarded: .pass, host: .upstream, isPrivate: true), "x", "x", "x"),
        ] as [(Setting, String?, String?, String?)])
    func theAddress(setting: Setting, address: String?, real: String?, forwarded: String?) throws {
        let bench = try Self.bench(setting)
        _ = Self.ask(bench, Self.asker)
        let seen = try bench.forwarded()
        #expect(seen["X-Forwarded-For"] == address)
        #expect(seen["X-Real-IP"] == real)
        #expect(seen["Forwarded"] == forwarded)
        #expect(seen["X-Forwarded-Host"] == (setting.forwarded == .pass ? "x" : "a.test"))
    }

    /// What is not stored tells all, on the same binding.
    @Test(arguments: ["POST", "PUT"])
    func otherMethodsTellTheAddress(method: String) throws {
        let bench = try Self.bench(Setting(forwarded: .xForwarded, host: .upstream))
        var asker = Asker()
        asker.fields = ["Content-Length: 0"]
        _ = Self.ask(bench, asker, method)
        #expect(try bench.forwarded()["X-Forwarded-For"] == "10.0.0.1")
    }

    /// An answer to HEAD may bring up to date what is stored for all.
    @Test func aHeadTellsNoAddress() throws {
        let bench = try Self.bench(Setting(forwarded: .xForwarded, host: .upstream))
        _ = Self.ask(bench, Asker(), "HEAD")
        #expect(try bench.forwarded().method == "HEAD")
        #expect(try bench.forwarded()["X-Forwarded-For"] == nil)
    }

    /// Over HTTP/2 the host is no field.
    @Test(arguments: [false, true], [[], ["Host"]])
    func twoNamesOverHTTP2(isTyped: Bool, vary: [String]) throws {
        let setting = Setting(
            forwarded: .none, host: vary.isEmpty ? .client : .upstream, vary: vary, isTyped: isTyped)
        let bench = try Self.bench(setting)
        let client = HTTP2Client(bench)
        for (index, host) in ["a.test", "b.test", "a.test"].enumerated() {
            client.send(HTTP2Wire.request(index * 2 + 1, "GET", "/a", authority: host))
            if index < 2 { try bench.origin().answer(200, body: "\(index)") }
        }
        #expect([1, 3, 5].map { client.answer($0).text } == ["0", "1", "0"])
        #expect(Self.requests(bench) == 2)
        // The same answers are those of HTTP/1.1.
        let other = Self.ask(bench, Asker(host: "b.test"))
        if vary.isEmpty { #expect(other.answers.first?.text == "1") }
        other.reset()
        client.peer.reset()
    }

    /// A sibling's value is cut out of an answer to its own host.
    @Test(arguments: [("a.test", 1), ("b.test", 2)])
    func siblingsAreAskedForByHost(host: String, requests: Int) throws {
        let bindings = try ["count", "name"].map { name in
            try Build.binding("GET /\(name)", to: "fruit /all", value: "JSON") {
                $0.parent = FieldPath(name)
                $0.cache = StoredAnswerExam.policy
            }
        }
        let bench = try Bench(Build.configuration(bindings) { $0.hosts = .any })
        let first = bench.client()
        first.request("GET /count HTTP/1.1\r\nHost: a.test\r\n\r\n")
        let second = bench.client()
        second.request("GET /name HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(Self.requests(bench) == requests)
        for origin in bench.origins { origin.answer(json: #"{"count": 1, "name": "a"}"#) }
        #expect(second.answers.first?.text == "\"a\"")
        for client in [first, second] { client.reset() }
        bench.expectQuiet()
    }

    /// What stands at the end of one part of a key cannot be taken for the beginning of the next.
    @Test(arguments: [("10.0.0.1", "/raw/f1", "110.0.0.1", "/raw/f"), ("::1", "/raw/fe80", "fe80::1", "/raw/")])
    func partsOfAKeyDoNotRunIntoEachOther(address: String, target: String, other: String, otherTarget: String) throws {
        let binding = try Build.binding("GET /raw/**", to: "fruit /**") {
            $0.cache = StoredAnswerExam.policy
            $0.cache?.isPrivate = true
        }
        let upstream = Build.upstream { $0.forwarded = .none }
        let bench = try Bench(Build.configuration([binding], upstreams: [upstream]))
        let first = bench.client(address: address)
        first.request("GET", target)
        try bench.origin().answer(200, body: "own")
        let second = bench.client(address: other)
        second.request("GET", otherTarget)
        #expect(second.answers.isEmpty)
        for client in [first, second] { client.reset() }
    }

    /// An error that a client's own credentials have led to is not kept for others (`retry-after-error:`).
    @Test(
        arguments: [
            ("Authorization: Bearer wrong", false), ("X-API-Key: wrong", false), ("Cookie: s=wrong", false),
            ("X-A: 1", true),
        ])
    func errorsAreKeptWhereTheyAreEverybodys(field: String, isKept: Bool) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "JSON") {
            $0.cache = StoredAnswerExam.policy
            $0.cache?.retryAfterError = .seconds(30)
        }
        let bench = try Bench(Build.configuration([binding]))
        let refused = "HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n"
        #expect(try bench.get("/a", field, answer: refused).status == 401)
        let second = try bench.get("/a", answer: "HTTP/1.1 200 X\r\nContent-Length: 1\r\n\r\n1")
        #expect(second.status == (isKept ? 401 : 200))
    }

    /// Nor does who has credentials of its own hear what was kept of a request without.
    @Test(arguments: ["Authorization: Bearer right", "X-API-Key: right", "Cookie: s=right"])
    func keptErrorsAreNotForThoseWithCredentials(field: String) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "JSON") {
            $0.cache = StoredAnswerExam.policy
            $0.cache?.retryAfterError = .seconds(30)
        }
        let bench = try Bench(Build.configuration([binding]))
        #expect(try bench.get("/a", answer: "HTTP/1.1 401 X\r\nContent-Length: 0\r\n\r\n").status == 401)
        #expect(try bench.get("/a", field, answer: "HTTP/1.1 200 X\r\nContent-Length: 1\r\n\r\n1").status == 200)
    }
}
