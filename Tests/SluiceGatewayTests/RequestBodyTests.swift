import SluiceContract
import Testing

@testable import SluiceGateway

/// What becomes of a client's body on its way upstream.
@Suite struct RequestBodyTests {
    static func bench(_ edit: (inout Binding) throws -> Void) throws -> Bench {
        let fruit = TypeDefinition(
            name: "Fruit",
            type: .object(try Build.object(["name": "String", "size": "Int", "color": "(red | green)?"])))
        return try Bench(
            Build.configuration([try Build.binding("POST /f", to: "fruit /f", edit)], types: [fruit]))
    }

    static func request(_ body: String, type: String? = "application/json", isChunked: Bool = false) -> String {
        let content = type.map { "Content-Type: \($0)\r\n" } ?? ""
        guard isChunked else {
            return "POST /f HTTP/1.1\r\nHost: localhost\r\n\(content)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        var wire = "POST /f HTTP/1.1\r\nHost: localhost\r\n\(content)Transfer-Encoding: chunked\r\n\r\n"
        for chunk in body { wire += "\(String(String(chunk).utf8.count, radix: 16))\r\n\(chunk)\r\n" }
        return wire + "0\r\n\r\n"
    }

    @Test(arguments: [true, false], [1, 7, .max])
    func aTypedBodyGoesOutAsItCame(isChunked: Bool, pieces: Int) throws {
        let bench = try Self.bench { $0.body = .json(.named("Fruit")) }
        let client = bench.client()
        let body = #"{"size": 3 , "name":"Kiwi \u00e9", "more": [1, {}]}"#
        client.request(Self.request(body, isChunked: isChunked), inPiecesOf: pieces)
        let forwarded = try bench.forwarded()
        #expect(forwarded.text == body)
        #expect(forwarded.isComplete)
        #expect(forwarded["Content-Length"] == "\(body.utf8.count)")
        try bench.origin().answer(201)
        #expect(client.answers.first?.status == 201)
        bench.expectQuiet()
    }

    @Test(
        arguments: [
            (#"{"name": "x"}"#, "size", "an object without it"), (#"{"name": 1, "size": 2}"#, "$.name", "String"),
            (#"{"name": "x", "size": 2.5}"#, "$.size", "Int"),
            (#"{"name": "x", "size": 2, "color": "blue"}"#, "$.color", "red"),
            (#"{"name": "x", "size": 2"#, "$", "valid JSON"), (#"[1]"#, "$", "Fruit"), ("", "$", "JSON"),
            ("{]", "$", "JSON"),
            (#"{"name": "x", "size": 2} x"#, "$", "JSON"),
        ])
    func whatIsNotAsDeclaredNeverGoesOut(body: String, path: String, expected: String) throws {
        for isChunked in [false, true] {
            let bench = try Self.bench { $0.body = .json(.named("Fruit")) }
            let answer = try bench.exchange(Self.request(body, isChunked: isChunked))
            #expect(answer.status == 400)
            #expect(answer.text.contains(path) && answer.text.contains(expected), "\(answer.text)")
            #expect(bench.origins.isEmpty)
            bench.expectQuiet()
        }
    }

    @Test(arguments: [("siez", "did you mean 'size'?"), ("xyzzy", nil)] as [(String, String?)])
    func anUndeclaredKeyThatIsNearlyOneIsTold(key: String, hint: String?) throws {
        let bench = try Self.bench {
            $0.body = .json(.named("Fruit"))
            $0.unknownKeys = .reject
        }
        let answer = try bench.exchange(Self.request(#"{"name": "x", "size": 2, "\#(key)": 3}"#))
        #expect(answer.status == 400 && answer.text.contains("an undeclared key"), "\(answer.text)")
        #expect(answer.text.contains("did you mean") == (hint != nil), "\(answer.text)")
        if let hint { #expect(answer.text.contains(hint)) }
    }

    @Test func everyFaultOfABodyIsReported() throws {
        let bench = try Self.bench { $0.body = .json(.named("Fruit")) }
        let answer = try bench.exchange(Self.request(#"{"name": 1, "size": "x", "color": 3}"#))
        for path in ["$.name", "$.size", "$.color"] { #expect(answer.text.contains(path)) }
    }

    @Test func aBodyIsWrapped() throws {
        let bench = try Self.bench {
            $0.body = .json(.named("Fruit"))
            $0.wrap = ["data", "a \"b\""]
        }
        try bench.exchange(Self.request(#"{"name": "x", "size": 2}"#))
        #expect(try bench.forwarded().text == #"{"data":{"a \"b\"":{"name": "x", "size": 2}}}"#)
    }

    /// A number ends with the body: the end alone says that it is longer than `hold`.
    @Test(arguments: [0, 1, 16, 20, 1000])
    func aBareNumberIsWrapped(hold: Int) throws {
        for isChunked in [false, true] {
            let bench = try Self.bench {
                $0.body = .json(.scalar(.int))
                $0.wrap = ["data", "a"]
                $0.holdBytes = hold
            }
            let client = bench.client()
            client.request(Self.request("123456789012345", isChunked: isChunked))
            let forwarded = try bench.forwarded()
            #expect(forwarded.text == #"{"data":{"a":123456789012345}}"#)
            #expect(forwarded.isComplete)
            try bench.origin().answer(201)
            #expect(client.answers.first?.status == 201)
            bench.expectQuiet()
        }
    }

    /// DESIGN §5: held until it is proven, up to `hold`; beyond that it goes out as it is proven.
    @Test(arguments: [1, 50, .max])
    func aLongBodyStreamsOnceItOutgrowsHold(pieces: Int) throws {
        let bench = try Self.bench {
            $0.body = .json(.array(.scalar(.string)))
            $0.wrap = ["list"]
            $0.holdBytes = 300
        }
        let long = #"["\#(String(repeating: "x", count: 900))", "y"]"#
        let client = bench.client()
        client.request(Self.request(long), inPiecesOf: pieces)
        let forwarded = try bench.forwarded()
        #expect(forwarded.text == #"{"list":\#(long)}"#)
        #expect(forwarded.isComplete)
        try bench.origin().answer(200)
        bench.expectQuiet()
    }

    /// A fault behind `hold`: the upstream must not take what it has for the whole.
    @Test func aLateFaultCutsTheRequestShort() throws {
        let bench = try Self.bench {
            $0.body = .json(.array(.scalar(.string)))
            $0.holdBytes = 300
        }
        let client = bench.client()
        let body = #"["\#(String(repeating: "x", count: 900))", 7]"#
        client.request(Self.request(body), inPiecesOf: 100)
        #expect(client.answers.first?.status == 400)
        let origin = try bench.origin()
        #expect(origin.requests.first?.isComplete == false)
        #expect(origin.sawReset)
        bench.expectQuiet()
    }

    @Test(
        arguments: [
            (Binding.Body.json(.scalar(.json)), "text/plain", 415),
            (.json(.scalar(.json)), "application/json; charset=utf-8", 200),
            (.json(.scalar(.json)), "Application/JSON", 200), (.json(.scalar(.json)), nil, 200),
            (.text(charset: nil), "text/plain", 200), (.text(charset: nil), "text/html", 415),
            (.text(charset: "utf-8"), "text/plain; charset=UTF-8", 200), (.text(charset: "utf-8"), "text/plain", 415),
            (.text(charset: "utf-8"), "text/plain; charset=latin1", 415),
            (.raw(mediaType: nil), "application/octet-stream", 200), (.raw(mediaType: "image/png"), "image/png", 200),
            (.raw(mediaType: "image/png"), "image/jpeg", 415),
            (.multipart, "multipart/form-data; boundary=x", 200), (.multipart, "multipart/mixed; boundary=x", 415),
            (.none, "text/plain", 400), (.passThrough, "x/y", 200),
        ] as [(Binding.Body, String?, Int)])
    func mediaTypesAreAsDeclared(body: Binding.Body, type: String?, status: Int) throws {
        let bench = try Self.bench { $0.body = body }
        #expect(try bench.exchange(Self.request("17", type: type)).status == status)
        #expect(bench.origins.isEmpty == (status != 200))
        if status == 200 {
            #expect(try bench.forwarded().text == "17")
            if let type { #expect(try bench.forwarded()["Content-Type"] == type) }
        }
        bench.expectQuiet()
    }

    @Test(arguments: [false, true])
    func aBodyThatIsTooLargeIsRefused(isChunked: Bool) throws {
        let bench = try Self.bench { $0.bodyBytesMax = 10 }
        #expect(try bench.exchange(Self.request("0123456789", isChunked: isChunked)).status == 200)
        #expect(try bench.exchange(Self.request("0123456789x", isChunked: isChunked)).status == 413)
        #expect(
            bench.origins.count(where: { $0.requests.last?.isComplete == true && $0.requests.last?.bodyCount == 11 })
                == 0)
    }

    @Test func parametersInTheBody() throws {
        let bench = try Self.bench {
            $0.parameters = [
                try Build.parameter("email", "String", in: .body, as: "mail"),
                try Build.parameter("age", "Int", in: .body, default: "18"),
            ]
        }
        try bench.exchange(Self.request(#"{"email": "a@b"}"#))
        #expect(try bench.forwarded().text == #"{"mail": "a@b","age":18}"#)
        #expect(try bench.exchange(Self.request(#"{"email": "a@b", "agee": 3}"#)).status == 400)
    }

    /// `unknown-params:` is about the members of the body itself; inside of them `unknown:` applies.
    @Test(
        arguments: [
            (.reject, .pass, #"{"home":{"street":"x","zip":1}}"#, 200),
            (.pass, .reject, #"{"home":{"street":"x","zip":1}}"#, 400),
            (.reject, .pass, #"{"home":{"street":"x"},"zip":1}"#, 400),
            (.pass, .reject, #"{"home":{"street":"x"},"zip":1}"#, 200),
        ] as [(Binding.UnknownParameters, UnknownKeys, String, Int)])
    func undeclaredKeysOfABodyOfParameters(
        parameters: Binding.UnknownParameters, keys: UnknownKeys, body: String, status: Int
    ) throws {
        let bench = try Self.bench {
            let home = TypeExpression.object(try Build.object(["street": "String"]))
            $0.parameters = [Parameter(name: "home", location: .body, type: home)]
            $0.unknownParameters = parameters
            $0.unknownKeys = keys
        }
        #expect(try bench.exchange(Self.request(body)).status == status)
        if status == 200 { #expect(try bench.forwarded().text == body) }
    }

    /// `null: literal` is a null where the client says nothing, and where it says null.
    @Test(arguments: [
        ("{}", #"{"nil":null,"n":2}"#), (#"{"none":null}"#, #"{"nil":null,"n":2}"#),
        (#"{"none":1,"n":null}"#, #"{"nil":1,"n":null}"#), (#"{"left":null}"#, #"{"left":null,"nil":null,"n":2}"#),
    ])
    func absentParametersInTheBody(body: String, forwarded: String) throws {
        let bench = try Self.bench {
            $0.parameters = [
                try Build.parameter("none", "Int?", in: .body, as: "nil", null: .literal),
                try Build.parameter("n", "Int?", in: .body, default: "2", null: .literal),
                try Build.parameter("left", "Int?", in: .body),
            ]
        }
        try bench.exchange(Self.request(body))
        #expect(try bench.forwarded().text == forwarded)
    }

    /// RFC 9112 §7.1: whatever is wrong with the framing of a body, what was sent of it is not a whole one.
    @Test(arguments: ["zz\r\n", "5\r\nhelloX\r\n", "-1\r\n", "5\nhello\r\n"])
    func aBrokenChunkEndsBothSides(broken: String) throws {
        let bench = try Self.bench { _ in }
        let client = bench.client()
        client.request("POST /f HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        let origin = try bench.origin()
        client.send(broken)
        #expect(client.answers.first?.status == 400)
        #expect(client.sawEnd || client.link.ending == .lingering)
        #expect(origin.requests.first?.isComplete == false)
        #expect(origin.sawReset)
        bench.expectQuiet()
    }

    /// RFC 9112 §7.1.2: trailers of a request go on.
    @Test func trailersGoOn() throws {
        let bench = try Self.bench { _ in }
        let client = bench.client()
        client.request(
            "POST /f HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n")
        #expect(try bench.forwarded().trailers == [Message.Field(name: "X-Sum", value: "1")])
    }

    @Test func echoGivesBackWhatWasSent() throws {
        let bench = try Self.bench {
            $0.body = .json(.named("Fruit"))
            $0.value = .named("Fruit")
            $0.wrap = ["fruit"]
            $0.answer = .echo
            $0.holdBytes = 200
        }
        let client = bench.client()
        let body = #"{"name": "x", "size": 2}"#
        client.request(Self.request(body))
        try bench.origin().answer(json: #"{"fruit": {"name": "other", "size": 1}}"#)
        #expect(client.answers.last?.text == body)
        client.request(Self.request(#"{"name": "\#(String(repeating: "x", count: 400))", "size": 2}"#), inPiecesOf: 50)
        try bench.origin().answer(json: "{}")
        #expect(client.answers.last?.status == 502)
        bench.expectQuiet()
    }
}
