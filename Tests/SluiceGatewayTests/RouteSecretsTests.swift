import SluiceContract
import Testing

@testable import SluiceGateway

/// Values that the configuration takes from variables and files: in fields, queries, paths and bodies.
@Suite struct RouteSecretsTests {
    private static let source = TokenSource.env("KEY")

    private static func bench(
        _ key: String, to target: String, secret: String? = "s3cret key&", _ edit: (inout Binding) throws -> Void
    ) throws -> Bench {
        let binding = try Build.binding(key, to: target, edit)
        return try Bench(Build.configuration([binding]), tokens: secret.map { ["env:KEY": $0] } ?? [:])
    }

    private static func secret(
        _ name: String, in location: Parameter.Location = .query, as upstreamName: String? = nil
    ) -> Parameter {
        Parameter(
            name: name, location: location, type: .scalar(.string), isFixed: true, source: source,
            upstreamName: upstreamName)
    }

    @Test func aFieldComesFromAVariable() throws {
        let bench = try Self.bench("GET /a", to: "fruit /a", secret: "s3cret") {
            $0.headers = [HeaderSetting(name: "X-Key", .secret(Self.source))]
        }
        try bench.get("/a", "x-key: the client's own")
        #expect(try bench.forwarded().values("X-Key") == ["s3cret"])
        bench.vaults["env:KEY"]?.set(.init(Array("newer".utf8)))
        try bench.get("/a")
        #expect(try bench.forwarded().values("X-Key") == ["newer"])
    }

    @Test(
        arguments: [("/a?q=1", "/v1/a?q=1&k=s3cret%20key%26"), ("/a?q=1&key=x", nil), ("/a?q=1&k=x", nil)]
            as [(String, String?)])
    func aQueryParameterComesFromAVariable(asked: String, target: String?) throws {
        let bench = try Self.bench("GET /a", to: "fruit /a") {
            $0.parameters = [try Build.parameter("q", "Int"), Self.secret("key", as: "k")]
        }
        let answer = try bench.get(asked)
        #expect(answer.status == (target == nil ? 400 : 200))
        if let target { #expect(try bench.forwarded().target == target) }
    }

    /// A value in the path has to be a name, wherever it comes from.
    @Test(arguments: [("tenant", 200), ("..", 502), ("", 502), ("../admin", 502), ("a b", 200)])
    func aPartOfThePathIsAName(secret: String, status: Int) throws {
        let bench = try Self.bench("GET /a", to: "fruit /{key}/a", secret: secret) {
            $0.parameters = [Self.secret("key")]
        }
        #expect(try bench.get("/a").status == status)
        #expect(bench.origins.isEmpty == (status != 200))
    }

    /// The upstream may repeat it in where it leads to; no target here ever has it.
    @Test func aRedirectThatRepeatsIt() throws {
        let bench = try Self.bench("GET /a", to: "fruit /a") {
            $0.follow = .sameOrigin
            $0.value = .scalar(.int)
            $0.parameters = [Self.secret("key", as: "k")]
        }
        let taker = bench.fetch("GET", "/v1/a?k=\u{1}")
        #expect(try bench.forwarded().target == "/v1/a?k=s3cret%20key%26")
        try bench.origin().answer(302, "Location: /v1/b?k=s3cret%20key%26&n=1", body: "elsewhere")
        #expect(try bench.forwarded().target == "/v1/b?k=s3cret%20key%26&n=1")
        #expect(Array(taker.request.target.bytes) == Array("/v1/b?k=\u{1}&n=1".utf8))
        try bench.origin().answer(json: "7")
        #expect(taker.heard == ["head 1", "body", "end"])
        bench.expectQuiet()
    }

    @Test func aPartOfThePathComesFromAVariable() throws {
        let bench = try Self.bench("GET /me", to: "fruit /bot{key}/getMe") { $0.parameters = [Self.secret("key")] }
        try bench.get("/me")
        #expect(try bench.forwarded().target == "/v1/bots3cret%20key%26/getMe")
    }

    @Test func nothingOfItIsTold() throws {
        let bench = try Self.bench("GET /a", to: "fruit /a", secret: "s3cret-word") {
            $0.value = .scalar(.int)
            $0.parameters = [Self.secret("plain")]
            $0.error = ErrorPaths(message: FieldPath("m"))
        }
        let answer = try bench.get("/a", answer: FetchAnswerTests.json(#"{"m": "not s3cret-word"}"#, status: 401))
        #expect(answer.text.contains("not ***"), "\(answer.text)")
        let inside = try Self.bench("GET /a", to: "fruit /a", secret: "s3cret-word") {
            $0.value = .scalar(.json)
            $0.parameters = [Self.secret("plain")]
            $0.error = ErrorPaths(message: FieldPath("m"))
            $0.reportedError = ReportedError()
            $0.reportedError?.when = [.init(FieldPath(components: [.key("m")]))]
        }.get("/a", answer: FetchAnswerTests.json(#"{"m": "not s3cret-word"}"#))
        #expect(inside.text.contains("reported-error") && inside.text.contains("not ***"), "\(inside.text)")
    }

    @Test func withoutItNothingIsSent() throws {
        let bench = try Self.bench("GET /a", to: "fruit /a", secret: nil) {
            $0.headers = [HeaderSetting(name: "X-Key", .secret(Self.source))]
        }
        let answer = try bench.get("/a")
        #expect(answer.status == 502)
        #expect(answer.text.contains("no-bearer") && answer.text.contains("variable 'KEY'"), "\(answer.text)")
        #expect(bench.origins.isEmpty)
    }

    /// What was stored for one key is not answered under another.
    @Test func itIsAPartOfTheCacheKey() throws {
        let bench = try Self.bench("GET /a", to: "fruit /a", secret: "one") {
            $0.parameters = [Self.secret("k")]
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        func get() throws -> String {
            try bench.get("/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(bench.origins.count)").text
        }
        #expect(try get() == get())
        bench.vaults["env:KEY"]?.set(.init(Array("two".utf8)))
        try bench.get("/a", answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
        #expect(try bench.forwarded().target == "/v1/a?k=two")
    }

    @Test(
        arguments: [
            (#"{"a": 1}"#, #"{"key":"s3cret","n":7,"a": 1}"#), ("{}", #"{"key":"s3cret","n":7}"#),
            (" { \n } ", #"{"key":"s3cret","n":7}"#), (#"{"a": 1, "key": "x"}"#, nil), ("[]", nil),
        ] as [(String, String?)])
    func membersAreAdded(sent: String, arrived: String?) throws {
        for pieces in [1, 3, .max] {
            let bench = try Self.bench("POST /a", to: "fruit /a", secret: "s3cret") {
                var object = try Build.object(["a": "Int?"])
                object.unknown = .reject
                $0.body = .json(.object(object))
                $0.parameters = [
                    Self.secret("key", in: .body),
                    Parameter(name: "n", location: .body, type: .scalar(.int), defaultJSON: "7", isFixed: true),
                ]
            }
            let client = bench.client()
            client.request(
                "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(sent.utf8.count)\r\n\r\n\(sent)", inPiecesOf: pieces)
            guard let arrived else {
                #expect(client.answers.first?.status == 400)
                continue
            }
            #expect(try bench.forwarded().text == arrived)
            #expect(try bench.forwarded()["Content-Length"] == "\(arrived.utf8.count)")
        }
    }

    @Test(
        arguments: [("a=1", "a=1&key=s3%26t&n=7"), ("", "key=s3%26t&n=7"), ("a=1&key=x", nil)] as [(String, String?)])
    func fieldsOfAFormAreAdded(sent: String, arrived: String?) throws {
        let bench = try Self.bench("POST /a", to: "fruit /a", secret: "s3&t") {
            $0.body = .form(try Build.object(["a": "Int?"]))
            $0.parameters = [
                Self.secret("key", in: .body),
                Parameter(name: "n", location: .body, type: .scalar(.int), defaultJSON: "7", isFixed: true),
            ]
        }
        let client = bench.client()
        client.request("POST", "/a", type: "application/x-www-form-urlencoded", body: sent)
        if let arrived {
            #expect(try bench.forwarded().text == arrived)
        } else {
            #expect(client.answers.first?.status == 400)
        }
    }
}
