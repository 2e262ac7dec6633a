import SluiceContract
import Testing

@testable import SluiceGateway

/// DESIGN §7: where parameters come from, what they have to be, and what is said where they are not.
@Suite struct ExchangeParametersTests {
    /// What one request leads to: the request line upstream, or the faults of its 400.
    static func read(
        _ key: String, to: String, _ parameters: [Parameter], target: String, fields: String = "",
        unknown: Binding.UnknownParameters = .reject
    ) throws -> (line: String?, answer: Message) {
        let bench = try Bench(
            Build.configuration([
                try Build.binding(key, to: to) {
                    $0.parameters = parameters
                    $0.unknownParameters = unknown
                }
            ]))
        let answer = try bench.exchange("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        return (bench.origins.last?.requests.last?.startLine, answer)
    }

    static func expectTarget(
        _ expected: String, _ result: (line: String?, answer: Message), _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.line == "GET \(expected) HTTP/1.1", "\(result.answer.text)", sourceLocation: location)
    }

    static func expectFaults(
        _ texts: String..., in result: (line: String?, answer: Message), _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.line == nil, sourceLocation: location)
        #expect(result.answer.status == 400, sourceLocation: location)
        for text in texts {
            #expect(result.answer.text.contains(text), "\(result.answer.text)", sourceLocation: location)
        }
    }

    /// RFC 3986 §3.3: what is a part of a segment here, and no dot segment with the rest of it, may be a whole one
    /// upstream.
    @Test(arguments: ["..json", "...json", "%2e.json"]) func aPartOfASegmentThatIsDots(segment: String) throws {
        let name = Parameter(name: "name", location: .path, type: .scalar(.string))
        let read = try Self.read("GET /f/{name}.json", to: "fruit /f/{name}", [name], target: "/f/\(segment)")
        Self.expectFaults("'.' or '..', which a path cannot hold", in: read)
    }

    /// A fixed parameter is sent whatever the client says, by any spelling of its name.
    @Test(arguments: [
        "key=x", "api_key=x", "API_KEY=x", "k%65y=x", "api%5Fkey=x", "key[]=x", "api_key%5B0%5D=x", "key", "a=1&key=x",
        "b=1;api_key=x", "b=;key;c",
    ])
    func fixedParametersAreNotTheClients(query: String) throws {
        let key = Parameter(
            name: "key", location: .query, type: .scalar(.string), defaultJSON: "\"s3 cret\"", isFixed: true,
            upstreamName: "api_key")
        let a = Parameter(name: "a", location: .query, type: .optional(.scalar(.int)))
        let line =
            query.hasPrefix("a") && query.contains("&") ? "/v1/f?api_key=s3%20cret&a=1" : "/v1/f?api_key=s3%20cret"
        for unknown in [Binding.UnknownParameters.drop, .pass] {
            Self.expectTarget(
                line, try Self.read("GET /f", to: "fruit /f", [key, a], target: "/f?\(query)", unknown: unknown))
        }
        let refused = try Self.read("GET /f", to: "fruit /f", [key, a], target: "/f?\(query)")
        Self.expectFaults("a value for a fixed parameter", in: refused)
        #expect(!refused.answer.text.contains("cret"))
        Self.expectTarget("/v1/f?api_key=s3%20cret", try Self.read("GET /f", to: "fruit /f", [key, a], target: "/f"))
    }

    @Test func aFixedValueFillsAPath() throws {
        let key = Parameter(
            name: "key", location: .query, type: .scalar(.string), defaultJSON: "\"1:a\"", isFixed: true)
        Self.expectTarget("/v1/bot1%3Aa/f", try Self.read("GET /f", to: "fruit /bot{key}/f", [key], target: "/f"))
    }

    /// What a client sends under the name of a credential is not repeated, and other values say that they are cut.
    @Test func valuesInFaults() throws {
        let pin = try Build.parameter("pin", "Int", in: .query)
        let result = try Self.read("GET /f", to: "fruit /f", [pin], target: "/f?pin=s3cret")
        Self.expectFaults(#""found":"a value that is not shown""#, in: result)
        #expect(!result.answer.text.contains("s3cret"))
        let size = try Build.parameter("size", "Int", in: .query)
        let long = String(repeating: "x", count: 63) + "%C3%A9"
        Self.expectFaults(
            "'\(String(repeating: "x", count: 63))…'",
            in: try Self.read("GET /f", to: "fruit /f", [size], target: "/f?size=\(long)"))
        let date = try Build.parameter("at", "Date", in: .query)
        Self.expectFaults(
            "Date(local)", in: try Self.read("GET /f", to: "fruit /f", [date], target: "/f?at=2024-05-01T12:00:00"))
    }

    /// A value in a path segment is decoded and encoded in one pass: `/` in it stays a part of the segment.
    @Test(
        arguments: [
            ("a", "a"), ("a%2Fb", "a%2Fb"), ("a%252Fb", "a%252Fb"), ("%C3%A9", "%C3%A9"), ("a%20b", "a%20b"),
            ("a+b", "a%2Bb"),
            ("a%3Fb%23c", "a%3Fb%23c"), ("%7e", "~"), ("nil", "nil"),
        ])
    func aPathValueStaysOneSegment(value: String, forwarded: String) throws {
        let id = try Build.parameter("id", "String", in: .path)
        Self.expectTarget(
            "/v1/f/\(forwarded)/x", try Self.read("GET /f/{id}/x", to: "fruit /f/{id}/x", [id], target: "/f/\(value)/x")
        )
    }

    @Test func aMissingPathValueIsAFault() throws {
        let id = try Build.parameter("id", "String", in: .path)
        let result = try Self.read("GET /f/{id}/x", to: "fruit /f/{id}/x", [id], target: "/f//x")
        Self.expectFaults(#""name":"id""#, #""in":"path""#, #""found":"nothing""#, in: result)
    }

    /// A query value that fills a path segment upstream may neither be missing nor lead elsewhere.
    @Test(arguments: ["", "id=", "id=.", "id=..", "id=%2E%2e"])
    func aQueryValueInAPathIsASegmentOfItsOwn(query: String) throws {
        let id = try Build.parameter("id", "String?")
        Self.expectFaults(
            #""name":"id""#, in: try Self.read("GET /f", to: "fruit /f/{id}", [id], target: "/f?\(query)"))
    }

    @Test(
        arguments: [
            ("", "/v1/f"), ("colors=red", "/v1/f?colors=red"),
            ("colors=red&colors=green", "/v1/f?colors=red&colors=green"),
            ("colors%5B%5D=red&colors[]=green", "/v1/f?colors=red&colors=green"),
        ])
    func aListRepeatsItsKey(query: String, target: String) throws {
        let colors = try Build.parameter("colors", "[red | green]")
        Self.expectTarget(target, try Self.read("GET /f", to: "fruit /f", [colors], target: "/f?\(query)"))
    }

    @Test(
        arguments: [
            (Parameter.ListStyle.comma, "ids=1,2", "ids=1,2"), (.comma, "ids=1&ids=2,3", "ids=1,2,3"),
            (.brackets, "ids=1&ids=2", "ids%5B%5D=1&ids%5B%5D=2"), (.brackets, "ids[]=1", "ids%5B%5D=1"),
            (.repeated, "ids=1&ids=2", "ids=1&ids=2"),
        ])
    func aListIsWrittenInItsStyle(style: Parameter.ListStyle, query: String, forwarded: String) throws {
        let ids = try Build.parameter("ids", "[Int]", style: style)
        Self.expectTarget("/v1/f?\(forwarded)", try Self.read("GET /f", to: "fruit /f", [ids], target: "/f?\(query)"))
    }

    @Test(arguments: [(Parameter.NullStyle.omit, "/v1/f"), (.empty, "/v1/f?q="), (.literal, "/v1/f?q=null")])
    func anAbsentOptionalIsWrittenInItsStyle(null: Parameter.NullStyle, target: String) throws {
        let q = try Build.parameter("q", "String?", null: null)
        Self.expectTarget(target, try Self.read("GET /f", to: "fruit /f", [q], target: "/f"))
    }

    /// The same for lists, fields and cookies.
    @Test(
        arguments: [
            (.omit, "", nil, nil), (.empty, "?l=&b%5B%5D=&c=", "", "k="),
            (.literal, "?l=null&b%5B%5D=null&c=null", "null", "k=null"),
        ] as [(Parameter.NullStyle, String, String?, String?)])
    func whateverIsAbsentIsWrittenInItsStyle(
        null: Parameter.NullStyle, query: String, field: String?, cookie: String?
    ) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /f", to: "fruit /f") {
                    $0.parameters = [
                        try Build.parameter("l", "[Int]?", null: null),
                        try Build.parameter("b", "[Int]?", style: .brackets, null: null),
                        try Build.parameter("c", "[Int]?", style: .comma, null: null),
                        try Build.parameter("x-one", "Int?", in: .header, null: null),
                        try Build.parameter("x-list", "[Int]?", in: .header, null: null),
                        try Build.parameter("k", "Int?", in: .cookie, null: null),
                    ]
                }
            ]))
        try bench.get("/f")
        let absent = try bench.forwarded()
        #expect(absent.startLine == "GET /v1/f\(query) HTTP/1.1")
        #expect(absent["X-One"] == field && absent["X-List"] == field && absent["Cookie"] == cookie)
        try bench.get("/f?l=1&b=2&c=3", "X-One: 4", "X-List: 5", "Cookie: k=6; o=7")
        let given = try bench.forwarded()
        #expect(given.startLine == "GET /v1/f?l=1&b%5B%5D=2&c=3 HTTP/1.1")
        #expect(given.values("X-One") == ["4"] && given.values("X-List") == ["5"] && given["Cookie"] == "k=6; o=7")
    }

    @Test func defaultsAndNamesOfTheUpstream() throws {
        let parameters = [
            try Build.parameter("limit", "Int", default: "10", as: "page_size"),
            try Build.parameter("sort", "String", default: #""a b""#),
            try Build.parameter("tags", "[String]", default: #"["x", "y"]"#),
        ]
        let expected = "/v1/f?page_size=10&sort=a%20b&tags=x&tags=y"
        Self.expectTarget(expected, try Self.read("GET /f", to: "fruit /f", parameters, target: "/f"))
        Self.expectTarget(
            "/v1/f?page_size=3&sort=&tags=z",
            try Self.read("GET /f", to: "fruit /f", parameters, target: "/f?tags=z&sort=&limit=3"))
    }

    @Test(
        arguments: [
            ("n=x", #""expected":"Int""#, #""found":"'x'""#), ("", #""expected":"Int""#, #""found":"nothing""#),
            ("n=1&n=2", #""expected":"one Int""#, "2 values"), ("n=%zz", "hexadecimal", "400"),
            ("n=", #""expected":"Int""#, #""found":"''""#), ("n=9223372036854775808", "Int", "9223372036854775808"),
            ("N=1", "did you mean 'n'?", "an undeclared parameter"),
        ])
    func whatIsNotAsDeclaredIsAFault(query: String, expected: String, found: String) throws {
        let n = try Build.parameter("n", "Int")
        Self.expectFaults(expected, found, in: try Self.read("GET /f", to: "fruit /f", [n], target: "/f?\(query)"))
    }

    @Test func allFaultsComeInOneAnswer() throws {
        let parameters = [
            try Build.parameter("id", "Int", in: .path), try Build.parameter("limit", "Int"),
            try Build.parameter("color", "red | green"),
            try Build.parameter("token", "UUID", in: .header, as: "X-Token"),
        ]
        let result = try Self.read(
            "GET /f/{id}", to: "fruit /f/{id}", parameters, target: "/f/x?limti=3&color=blue", fields: "token: no\r\n")
        Self.expectFaults(
            #""name":"id""#, #""name":"limti""#, "did you mean 'limit'?", #""name":"limit""#, #""name":"color""#,
            #""name":"token""#, #""in":"header""#, "application/problem", in: (result.line, named(result.answer)))
    }

    /// The content type beside the text, so that one search finds both.
    private func named(_ message: Message) -> Message {
        var message = message
        message.body += (message["Content-Type"] ?? "").utf8
        return message
    }

    @Test func aSlashAtTheEndCounts() throws {
        let id = try Build.parameter("id", "Int", in: .path)
        Self.expectFaults(
            #""found":"nothing""#, "a '/' at the end counts",
            in: try Self.read("GET /f/{id}", to: "fruit /f/{id}", [id], target: "/f/"))
    }

    @Test func aParameterThatBelongsElsewhereIsNamed() throws {
        let id = try Build.parameter("id", "Int", in: .path)
        Self.expectFaults(
            "'id' belongs in the path",
            in: try Self.read("GET /f/{id}", to: "fruit /f/{id}", [id], target: "/f/1?id=2"))
    }

    @Test(
        arguments: [
            (Binding.UnknownParameters.drop, "/v1/f?n=1"), (.pass, "/v1/f?n=1&x=%41&y&z=a+b"),
        ])
    func undeclaredParametersAreDroppedOrPassed(unknown: Binding.UnknownParameters, target: String) throws {
        let n = try Build.parameter("n", "Int")
        Self.expectTarget(
            target,
            try Self.read("GET /f", to: "fruit /f", [n], target: "/f?x=%41&n=1&y&z=a+b", unknown: unknown))
    }

    /// Field names are case-insensitive (RFC 9110 §5.1); the client's own field does not go upstream beside the new
    /// one.
    @Test func fieldsAreReadWhateverTheirCase() throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /f", to: "fruit /f") {
                    $0.parameters = [
                        try Build.parameter("x-count", "Int", in: .header, as: "X-Number"),
                        try Build.parameter("x-list", "[Int]", in: .header),
                    ]
                }
            ]))
        try bench.get("/f", "X-COUNT: 3", "X-List: 1, 2", "x-list: 3")
        let forwarded = try bench.forwarded()
        #expect(forwarded["X-Number"] == "3")
        #expect(forwarded["X-Count"] == nil)
        #expect(forwarded.values("x-list").joined(separator: ",").filter { $0 != " " } == "1,2,3")
    }

    @Test(arguments: [("Cookie: a=1; id=7", 200), ("Cookie: id=x", 400), ("Cookie: a=7", 400)])
    func cookiesAreChecked(field: String, status: Int) throws {
        let id = try Build.parameter("id", "Int", in: .cookie)
        #expect(
            try Self.read("GET /f", to: "fruit /f", [id], target: "/f", fields: field + "\r\n").answer.status == status)
    }

    /// What is no parameter goes on as the client wrote it; nothing goes on by the name of one.
    @Test(arguments: [
        ("sid=\"a b==\"; id=7; novalue; x=1", "ident=7; sid=\"a b==\"; novalue; x=1"),
        ("id=\"7\";ident=8; id2=\"\"", "ident=7; id2=\"\""), ("a = \"b\" ;; id=7; id; ident", "ident=7; a = \"b\""),
    ])
    func otherCookiesGoOnAsTheyCame(field: String, forwarded: String) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /f", to: "fruit /f") {
                    $0.parameters = [try Build.parameter("id", "Int", in: .cookie, as: "ident")]
                }
            ]))
        try bench.get("/f", "Cookie: \(field)")
        #expect(try bench.forwarded()["Cookie"] == forwarded)
    }

    /// A name may be percent-encoded (RFC 3986 §2.4), a value's plus is a space in a query and a plus in a path.
    @Test func queriesAreDecodedOnce() throws {
        let q = try Build.parameter("q", "String")
        Self.expectTarget("/v1/f?q=a%20b%252B", try Self.read("GET /f", to: "fruit /f", [q], target: "/f?%71=a+b%252B"))
    }
}
