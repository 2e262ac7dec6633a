import SluiceContract
import Testing

@testable import SluiceGateway

/// URLs in JSON that lead to the gateway instead of around it.
@Suite struct LocalURLTests {
    private static func binding(
        _ value: String?, _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Binding {
        try Build.binding("GET /fruits/{x}", to: "fruit /all", value: value) {
            $0.localURLs = [try #require(FieldPath("next")), try #require(FieldPath("links.*.href"))]
            $0.parameters = [
                try Build.parameter("x", "String", in: .path), try Build.parameter("after", "String?", as: "tok"),
                try Build.parameter("page", "Int?"),
                Parameter(
                    name: "key", location: .query, type: .scalar(.string), defaultJSON: "\"s3cret\"", isFixed: true),
            ]
            try edit(&$0)
        }
    }

    private static func answer(
        _ binding: Binding, _ json: String, pieces: Int = .max, method: String = "GET",
        asking: String = "/fruits/a?page=1",
        _ edit: (inout Configuration) -> Void = { _ in }
    ) throws -> Message {
        let bench = try Bench(Build.configuration([binding], edit))
        let client = bench.client()
        client.request("\(method) \(asking) HTTP/1.1\r\nHost: localhost:8080\r\n\r\n")
        if method == "HEAD" { client.expect("HEAD") }
        try bench.origin().send(FetchAnswerTests.json(json, "ETag: \"1\"\r\n"), inPiecesOf: pieces)
        bench.expectQuiet()
        return try #require(client.answers.first)
    }

    /// With a type and without, held and streamed.
    @Test(
        arguments: [
            (
                #""http://fruit.example/v1/all?page=2&tok=x%20y""#,
                #""http://localhost:8080/fruits/a?page=2&after=x%20y""#
            ),
            (#""http:\/\/fruit.example\/v1\/all?tok=\u0041""#, #""http://localhost:8080/fruits/a?after=A""#),
            (#""/v1/all?tok=x&key=s3cret""#, #""/fruits/a?after=x""#), (#""?page=2""#, #""/fruits/a?page=2""#),
            (#""//fruit.example/v1/all?page=2""#, #""http://localhost:8080/fruits/a?page=2""#),
            (#""http://other.example/v1/all?page=2""#, #""http://other.example/v1/all?page=2""#),
            (#""http://other.example/v1/b?key=1""#, #""http://other.example/v1/b?key=1""#),
            (#""http://fruit.example/v1/b?page=2&key=s3cret#f""#, #""http://fruit.example/v1/b?page=2#f""#),
            (#""http://fruit.example/v1/b?key=s3cret""#, #""http://fruit.example/v1/b""#), (#""all""#, #""all""#),
            (#""""#, #""""#), ("null", "null"), ("7", "7"),
        ], [nil, "JSON"] as [String?])
    func urlsBecomeLocal(_ pair: (url: String, local: String), type: String?) throws {
        for (hold, pieces) in [(1 << 20, Int.max), (1 << 20, 1), (3, 7), (0, 1)] where type != nil || hold > 3 {
            let answer = try Self.answer(
                Self.binding(type) { $0.holdBytes = hold }, #"{"a": "\u00e9\"", "next": \#(pair.url)}"#, pieces: pieces)
            #expect(answer.status == 200 && answer.isComplete)
            #expect(answer.text == #"{"a": "\u00e9\"", "next": \#(pair.local)}"#)
            let length = answer["Content-Length"]
            #expect(length == (type == nil || hold < 1 << 20 ? nil : "\(answer.bodyCount)"))
        }
    }

    @Test(arguments: [nil, "JSON", "{links: [{href: URL}], next: URL?}"] as [String?])
    func whatOtherPathsHoldStays(type: String?) throws {
        let url = "http://fruit.example/v1/all?page=2"
        let local = "http://localhost:8080/fruits/a?page=2"
        var binding = try Self.binding(nil)
        if type == "JSON" { binding.value = .scalar(.json) }
        if type?.first == "{" {
            binding.value = .object(
                ObjectType(fields: [
                    .init(name: "next", type: .optional(.scalar(.url))),
                    .init(
                        name: "links",
                        type: .array(.object(ObjectType(fields: [.init(name: "href", type: .scalar(.url))])))),
                ]))
        }
        let answer = try Self.answer(
            binding, #"{"links": [{"href": "\#(url)"}, {"href": "\#(url)", "x": "\#(url)"}], "self": "\#(url)"}"#)
        #expect(
            answer.text
                == #"{"links": [{"href": "\#(local)"}, {"href": "\#(local)", "x": "\#(url)"}], "self": "\#(url)"}"#)
    }

    /// Only JSON that is there as a whole is looked into.
    @Test func whatIsNoDocumentPasses() throws {
        let json = #"{"next": "http://fruit.example/v1/all?page=2"}"#
        let bench = try Bench(Build.configuration([Self.binding(nil)]))
        for (head, isEdited) in [
            ("200 OK\r\nContent-Type: text/plain", false), ("404 No\r\nContent-Type: application/json", false),
            ("200 OK\r\nContent-Type: application/hal+json; charset=utf-8", true),
        ] {
            let answer = try bench.get(
                "/fruits/a", answer: "HTTP/1.1 \(head)\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)")
            #expect(answer.text.contains("localhost") == isEdited, "\(head)")
            #expect((answer["Content-Length"] == nil) == isEdited)
        }
    }

    /// Its bytes are others than the upstream's: what proves those, and parts of them, is not passed on.
    @Test func fieldsAreTrueOfWhatIsEdited() throws {
        let bench = try Bench(Build.configuration([Self.binding(nil)]))
        let client = bench.client()
        client.request("GET", "/fruits/a", "Range: bytes=0-3", "If-Range: \"1\"", "If-None-Match: W/\"2\"")
        let asked = try bench.forwarded()
        #expect(asked["Range"] == nil && asked["If-Range"] == nil && asked["If-None-Match"] == "W/\"2\"")
        try bench.origin().send(
            FetchAnswerTests.json("{}", "ETag: \"1\"\r\nAccept-Ranges: bytes\r\nDigest: md5=x\r\n"))
        let answer = try #require(client.answers.first)
        #expect(answer["ETag"] == "W/\"1\"" && answer["Accept-Ranges"] == nil && answer["Digest"] == nil)
    }

    @Test(arguments: [nil, "JSON"] as [String?])
    func aCodingIsTakenOff(type: String?) throws {
        let json = #"{"next": "/v1/all?page=2"}"#
        let bench = try Bench(Build.configuration([Self.binding(type)]))
        let client = bench.client()
        client.request("GET", "/fruits/a", "Accept-Encoding: gzip")
        let body = try Coded.bytes(json, .gzip)
        let origin = try bench.origin()
        origin.send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: "
                + "\(body.count)\r\n\r\n")
        origin.send(body)
        let answer = try #require(client.answers.first)
        #expect(answer.text == #"{"next": "/fruits/a?page=2"}"#)
        #expect(answer["Content-Encoding"] == nil)
    }

    /// What passes a binding that checks other statuses only is edited, whether its client takes the coding or not.
    @Test(arguments: ["gzip", "identity"])
    func whatPassesATypedBindingIsEdited(accepting: String) throws {
        let binding = try Self.binding(nil) { $0.valueByStatus = [201: .scalar(.json)] }
        let bench = try Bench(Build.configuration([binding]))
        let client = bench.client()
        client.request("GET", "/fruits/a", "Accept-Encoding: \(accepting)")
        try bench.origin().send(
            Coded.message(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip",
                try Coded.bytes(#"{"next": "/v1/all?page=2"}"#, .gzip)))
        let answer = try #require(client.answers.first)
        #expect(answer.text == #"{"next": "/fruits/a?page=2"}"#)
        #expect(answer["Content-Encoding"] == nil)
    }

    @Test func aHEADSaysNoLengthThatAGETHasNot() throws {
        let passed = try Self.answer(Self.binding(nil), "", method: "HEAD")
        #expect(passed.status == 200 && passed["Content-Length"] == nil && passed.isComplete)
    }

    @Test func belowAWildcard() throws {
        let binding = try Build.binding("ANY /raw/**", to: "fruit /**") {
            $0.localURLs = [try #require(FieldPath("next"))]
        }
        func next(_ url: String) throws -> String {
            let text = try Self.answer(binding, #"{"next":"\#(url)"}"#, asking: "/raw/a").text
            return String(text.dropFirst(9).dropLast(2))
        }
        #expect(try next("http://fruit.example/v1/b?p=2") == "http://localhost:8080/raw/b?p=2")
        #expect(try next("/v1/b?p=2") == "/raw/b?p=2")
        #expect(try next("http://fruit.example/v2/b") == "http://fruit.example/v2/b")
    }

    /// What is stored leads to where it was asked for.
    @Test(arguments: [nil, "JSON"] as [String?])
    func eachHostHasItsOwnAnswer(type: String?) throws {
        let binding = try Self.binding(type) {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let bench = try Bench(Build.configuration([binding]) { $0.hosts = .any })
        let json = FetchAnswerTests.json(#"{"next": "http://fruit.example/v1/all?page=2"}"#)
        func ask(_ host: String, isTLS: Bool = false, isStored: Bool = false) throws {
            let client = bench.client(isTLS: isTLS)
            client.request("GET /fruits/a HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            if !isStored { try bench.origin().send(json) }
            let scheme = isTLS ? "https" : "http"
            #expect(client.answers.first?.text == #"{"next": "\#(scheme)://\#(host)/fruits/a?page=2"}"#)
        }
        try ask("one")
        try ask("two")
        try ask("one", isTLS: true)
        for (host, isTLS) in [("one", false), ("two", false), ("one", true)] {
            try ask(host, isTLS: isTLS, isStored: true)
        }
    }

    /// A 204 has no content, whatever type it tells: bytes behind it would be the next answer's (RFC 9112 §6.3).
    @Test func whatHasNoContentGetsNone() throws {
        let bench = try Bench(Build.configuration([try Self.binding(nil)]))
        let client = bench.client()
        client.request("GET", "/fruits/a")
        try bench.origin().send("HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n\r\n")
        let answer = try #require(client.answers.first)
        #expect(answer.status == 204 && answer["Transfer-Encoding"] == nil && answer.isComplete)
    }

    /// Behind a TLS terminator an API may say another scheme of itself; the key is taken out all the same.
    @Test func noSecretInAnotherScheme() throws {
        let answer = try Self.answer(
            Self.binding(nil), #"{"next": "https://FRUIT.example:8443/v1/b?page=2&key=s3cret"}"#)
        #expect(answer.text == #"{"next": "https://FRUIT.example:8443/v1/b?page=2"}"#)
    }
}
