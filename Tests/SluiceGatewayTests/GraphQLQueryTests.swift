import SluiceContract
import Testing

@testable import SluiceGateway

/// Bindings that ask an API of GraphQL.
@Suite struct GraphQLQueryTests {
    private static let query = "query($login: String!, $n: Int) { user(login: $login) { \"x\" } }"
    private static let opening =
        #"{"query":"query($login: String!, $n: Int) { user(login: $login) { \"x\" } }","variables":"#

    private static func bench(
        _ key: String = "GET /users/{login}", _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let binding = try Build.binding(key, to: "fruit POST /graphql", value: "String") {
            $0.graphQL = .query(query)
            $0.body = .none
            $0.parent = FieldPath("user.name")
            $0.parameters = [
                try Build.parameter("login", "String", in: .path),
                try Build.parameter("first", "Int | String", default: "10", as: "n"),
                try Build.parameter("tags", "[String]"), try Build.parameter("deep", "Bool?", in: .header),
                try Build.parameter("none", "Int?", null: .literal),
            ]
            try edit(&$0)
        }
        return try Bench(Build.configuration([binding]))
    }

    private static let good = FetchAnswerTests.json(#"{"data": {"user": {"name": "fig"}}}"#)

    @Test(
        arguments: [
            ("/users/a%22b", [], #"{"login":"a\"b","n":10,"none":null}"#),
            (
                "/users/x?first=7&tags=a&tags=b", ["Deep: true"],
                #"{"login":"x","n":7,"tags":["a","b"],"deep":true,"none":null}"#
            ),
            ("/users/x?first=many&none=1", [], #"{"login":"x","n":"many","none":1}"#),
        ])
    func parametersAreVariables(target: String, fields: [String], variables: String) throws {
        let bench = try Self.bench()
        let head = (["GET \(target) HTTP/1.1", "Host: localhost"] + fields).map { $0 + "\r\n" }.joined() + "\r\n"
        let answer = try bench.exchange(head, answer: Self.good)
        #expect(answer.text == #""fig""#)
        let request = try bench.forwarded()
        #expect(request.method == "POST" && request.target == "/v1/graphql")
        #expect(request.text == Self.opening + variables + "}")
        #expect(request.values("Content-Type") == ["application/json"])
        #expect(request["Deep"] == nil)
    }

    @Test func aWrongParameterIsNotSent() throws {
        let bench = try Self.bench { $0.parameters[1] = try Build.parameter("first", "Int", as: "n") }
        #expect(try bench.get("/users/x?first=007").status == 400)
        #expect(bench.origins.isEmpty)
    }

    @Test func errorsAreProblems() throws {
        let document = #"{"data": {"user": null}, "errors": [{"message": "no user", "extensions": {"code": "GONE"}}]}"#
        let answer = try Self.bench().get("/users/x", answer: FetchAnswerTests.json(document))
        #expect(answer.status == 502)
        #expect(answer.text.contains("reported-error") && answer.text.contains("no user"))
        #expect(answer.text.contains(#""code":"GONE""#))
        let whole = try Self.bench {
            $0.reportedError = ReportedError()
            $0.reportedError?.keepsData = true
        }.get("/users/x", answer: FetchAnswerTests.json(#"{"data": {"user": {"name": "a"}}, "errors": [{}]}"#))
        #expect(whole.text == #""a""#)
        let missing = try Self.bench().get("/users/x", answer: FetchAnswerTests.json(#"{"data": {"user": {}}}"#))
        #expect(missing.text.contains("$.data.user.name"))
    }

    /// By its variables, and not by what differs in nothing that is asked.
    @Test func aQuestionIsStored() throws {
        let bench = try Self.bench {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        func count() -> Int { bench.origins.reduce(0) { $0 + $1.requests.count } }
        #expect(try bench.get("/users/x?first=7", answer: Self.good).text == #""fig""#)
        #expect(try bench.forwarded().text == Self.opening + #"{"login":"x","n":7,"none":null}}"#)
        #expect(try bench.get("/users/x?first=7", answer: Self.good).text == #""fig""#)
        #expect(count() == 1)
        try bench.get("/users/x?first=8", answer: Self.good)
        try bench.get("/users/y?first=7", answer: Self.good)
        #expect(count() == 3)
    }

    @Test(arguments: [1, .max])
    func aBodyIsVariablesToo(pieces: Int) throws {
        let bench = try Self.bench("POST /users/{login}") {
            $0.body = .passThrough
            $0.upstreamMethod = nil
            $0.parameters = [
                try Build.parameter("login", "String", in: .path), try Build.parameter("n", "Int", in: .body),
            ]
        }
        let client = bench.client()
        client.request(
            "POST /users/x HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
                + #"{"n": 17}"#, inPiecesOf: pieces)
        #expect(try bench.forwarded().text == Self.opening + #"{"login":"x","n": 17}}"#)
        try bench.origin().send(Self.good)
        #expect(client.answers.first?.text == #""fig""#)
    }

    /// `null: literal`, wherever the client would give the value.
    @Test(arguments: [
        ("{}", #"{"login":"x","tags":null,"c":null}"#),
        (#"{"c":null,"d":1}"#, #"{"login":"x","tags":null,"c":null,"d":1}"#),
        (#"{"c":2}"#, #"{"login":"x","tags":null,"c":2}"#),
    ])
    func whatIsLeftOutMayBeNull(body: String, variables: String) throws {
        let bench = try Self.bench("POST /users/{login}") {
            $0.body = .passThrough
            $0.upstreamMethod = nil
            $0.parameters = [
                try Build.parameter("login", "String", in: .path),
                try Build.parameter("tags", "[String]?", null: .literal),
                try Build.parameter("c", "Int?", in: .body, null: .literal),
                try Build.parameter("d", "Int?", in: .body),
            ]
        }
        let client = bench.client()
        client.request("POST", "/users/x", type: "application/json", body: body)
        #expect(try bench.forwarded().text == Self.opening + variables + "}")
        try bench.origin().send(Self.good)
        #expect(client.answers.first?.text == #""fig""#)
    }
}
