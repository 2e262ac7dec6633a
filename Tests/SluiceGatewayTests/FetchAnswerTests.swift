import SluiceContract
import Testing

@testable import SluiceGateway

/// What becomes of an upstream's answer (`Fetch+Answer.swift`, `Judge.swift`).
@Suite struct FetchAnswerTests {
    /// One binding `GET /a`, and an origin's answer to it.
    static func answer(
        _ text: String, pieces: Int = .max, request: String = "GET", end: Bool = false,
        _ edit: (inout Binding) throws -> Void
    ) throws -> ClientPeer {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a", edit)]))
        let client = bench.client()
        client.request(request, "/a")
        let origin = try bench.origin()
        origin.send(text, inPiecesOf: pieces)
        if end { origin.endInput() }
        bench.expectQuiet()
        return client
    }

    static func chunked(_ chunks: String...) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunks.map { String($0.utf8.count, radix: 16) + "\r\n" + $0 + "\r\n" }.joined() + "0\r\n\r\n"
    }

    /// A token that chunks cut is the engine's, and two chunks of one input feed the engine twice.
    @Test(arguments: [1, 7, 300, 1000, .max], [0, 600])
    func aTokenCutByChunksStaysWhole(pieces: Int, hold: Int) throws {
        let long = String(repeating: "0123456789", count: 100)
        let client = try Self.answer(
            Self.chunked(#"["\#(long)"#, #"\#(long)", "\#(long)"#, #"\#(long)", "\#(long)"#, #""]"#), pieces: pieces
        ) {
            $0.value = .array(.scalar(.string))
            $0.holdBytes = hold
        }
        #expect(client.answers.first?.text == #"["\#(long)\#(long)", "\#(long)\#(long)", "\#(long)"]"#)
        #expect(client.answers.first?.isComplete == true)
    }

    /// A head in two inputs: the second is carried, with the beginning of the body.
    @Test(arguments: 1..<60)
    func aBodyBehindACutHeadPassesThrough(cut: Int) throws {
        let body = String(repeating: "abcdefgh", count: 100)
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 800\r\nX-Long: abcdefghij\r\n\r\n" + body
        let client = try Self.answer(text, pieces: cut) { _ in }
        #expect(client.answers.first?.text == body)
    }
}

extension FetchAnswerTests {
    static func json(_ text: String, status: Int = 200, _ fields: String = "") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\n\(fields)Content-Length: \(text.utf8.count)\r\n\r"
            + "\n\(text)"
    }

    // MARK: - Values

    @Test(
        arguments: [
            (#"{"a": {"b": [ 1 ,2]}}"#, "a.b", "[Int]", "[ 1 ,2]"),
            (#"[{"x": 1.50}, {"x": 2e3}]"#, "*.x", "[Decimal]", "[1.50,2e3]"),
            (#"{"a": null}"#, "a", "Int?", "null"), (#"{}"#, "a", "Int?", "null"),
            (#" "top" "#, "", "String", #""top""#),
            ("17", "", "Int", "17"), (#"{"a": [[1], [2]]}"#, "a.1.0", "Int", "2"),
            (#"{"a": {}}"#, "a", #"[String: Int]"#, "{}"),
        ])
    func theValueIsCutOutVerbatim(document: String, parent: String, type: String, value: String) throws {
        for pieces in [1, 9, .max] {
            let client = try Self.answer(Self.json(document), pieces: pieces) {
                $0.parent = FieldPath(parent)
                $0.value = try Build.type(type)
            }
            #expect(client.answers.first?.status == 200)
            #expect(client.answers.first?.text == value)
            #expect(client.answers.first?["Content-Length"] == "\(value.utf8.count)")
            #expect(client.answers.first?.values("Content-Type") == ["application/json"])
        }
    }

    @Test(
        arguments: [
            (#"{"a": "x"}"#, "type-mismatch", #""name":"$.a""#), (#"{"b": 1}"#, "missing-value", #""name":"$.a""#),
            (#"{"a": 1"#, "type-mismatch", "not valid JSON"), ("<html>", "type-mismatch", "not valid JSON"),
            ("", "type-mismatch", "has an empty body in the place of JSON"),
            (#"{"a": 1}}"#, "type-mismatch", "not valid JSON"),
        ])
    func whatHasDriftedIsA502(document: String, kind: String, text: String) throws {
        for pieces in [1, .max] {
            let client = try Self.answer(Self.json(document), pieces: pieces) {
                $0.parent = FieldPath("a")
                $0.value = .scalar(.int)
            }
            #expect(client.answers.first?.status == 502)
            #expect(client.answers.first?.text.contains(kind) == true)
            #expect(client.answers.first?.text.contains(text) == true, "\(client.answers.first?.text ?? "")")
        }
    }

    @Test func everyFaultOfAnAnswerIsReported() throws {
        let client = try Self.answer(Self.json(#"[1, "x", 2, null, {}]"#)) { $0.value = .array(.scalar(.int)) }
        let text = client.answers.first?.text ?? ""
        for path in ["$[1]", "$[3]", "$[4]"] { #expect(text.contains(path), "\(text)") }
    }

    /// The default stands in for what the upstream could not give, where the binding serves it.
    @Test(
        arguments: [
            ("{}", 200, [.default, .error], 200), (#"{"a": "x"}"#, 200, [.default, .error], 200),
            ("{}", 500, [.default, .error], 200), ("{}", 404, [.default, .error], 200),
            ("{}", 403, [.default, .error], 403),
            (#"{"a": "x"}"#, 200, [.error], 502), ("{}", 503, [.error], 503),
        ] as [(String, Int, [Binding.ServeRule], Int)])
    func theDefaultIsServed(document: String, upstream: Int, serve: [Binding.ServeRule], status: Int) throws {
        let client = try Self.answer(Self.json(document, status: upstream)) {
            $0.parent = FieldPath("a")
            $0.value = .scalar(.int)
            $0.defaultJSON = "42"
            $0.serve = serve
        }
        #expect(client.answers.first?.status == status)
        #expect((client.answers.first?.text == "42") == (status == 200))
    }

    @Test(arguments: [204, 205])
    func statusesWithoutContentHaveNoValue(status: Int) throws {
        let client = try Self.answer(
            "HTTP/1.1 \(status) X\r\nETag: \"a\"\r\n\(status == 205 ? "Content-Length: 0\r\n" : "")\r\n"
        ) {
            $0.value = .scalar(.int)
        }
        #expect(client.answers.first?.status == status)
        #expect(client.answers.first?.isComplete == true)
    }

    /// RFC 9110 §9.3.2: the length of the answer to HEAD is that of the slice GET would bring.
    @Test func headOfATypedBinding() throws {
        let client = try Self.answer(Self.json(#"{"a": [1, 2, 3]}"#), request: "HEAD") {
            $0.parent = FieldPath("a")
            $0.value = .array(.scalar(.int))
        }
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?["Content-Length"] == "9")
        #expect(client.answers.first?.isComplete == true)
    }

    /// Validators and lengths of the whole body are not those of the slice.
    @Test func fieldsOfTheWholeBodyStayBehind() throws {
        let fields = "ETag: \"x\"\r\nAccept-Ranges: bytes\r\nX-Other: y\r\nConnection: X-Hop\r\nX-Hop: z\r\n"
        let client = try Self.answer(Self.json(#"{"a": 1}"#, fields)) {
            $0.parent = FieldPath("a")
            $0.value = .scalar(.int)
        }
        let answer = try #require(client.answers.first)
        #expect(answer["ETag"] == nil)
        #expect(answer["Accept-Ranges"] == nil)
        #expect(answer["X-Hop"] == nil)
        #expect(answer["X-Other"] == "y")
        #expect(answer["Via"]?.hasSuffix("sluice") == true)
    }

    // MARK: - Early

    @Test(arguments: [1, 13, .max])
    func anEarlyAnswerNeedsNoRest(pieces: Int) throws {
        let bench = try Self.earlyBench()
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send(
            "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{\"a\": 17, \"b\": [1, 2", inPiecesOf: pieces)
        #expect(client.answers.first?.text == "17")
        #expect(client.answers.first?.isComplete == true)
        #expect(try bench.origin().isClosed)
        bench.expectQuiet()
    }

    /// A rest that is short costs less than a new connection; it is read whole or in pieces, and looked at by nobody.
    @Test(
        arguments: [
            ("Content-Length: 21\r\n", [#"{"a": 17, "b": [1, 2]"#]),
            ("Content-Length: 21\r\n", [#"{"a": 17,"#, #" "b": "#, "[1, 2]"]),
            ("Transfer-Encoding: chunked\r\n", ["a\r\n{\"a\": 17, \r\n0\r\n\r\n"]),
            (
                "Transfer-Encoding: chunked\r\n",
                ["a\r\n{\"a\": 17, \r\n", "4\r\n}", "}}}\r\n0\r\nX: ", "y\r\n", "\r\n"]
            ),
        ])
    func anEarlyAnswerKeepsTheConnection(framing: String, pieces: [String]) throws {
        let bench = try Self.earlyBench()
        for number in 1...2 {
            let client = bench.client()
            client.request("GET", "/a")
            try bench.origin().send("HTTP/1.1 200 OK\r\n\(framing)\r\n" + pieces[0])
            #expect(client.answers.first?.text == "17")
            for piece in pieces.dropFirst() { try bench.origin().send(piece) }
            #expect(try bench.origin().requests.count == number)
        }
        #expect(bench.origins.count == 1)
        bench.expectQuiet()
    }

    /// One that is long, of unknown length, broken, slow or the connection's last is not waited for.
    @Test(
        arguments: [
            ("Content-Length: 65547\r\n", [#"{"a": 17, "#]),
            ("", [#"{"a": 17, "#]),
            ("Connection: close\r\nContent-Length: 21\r\n", [#"{"a": 17, "#]),
            ("Transfer-Encoding: chunked\r\n", ["a\r\n{\"a\": 17, \r\n", "junk\r\n"]),
            (
                "Transfer-Encoding: chunked\r\n",
                ["a\r\n{\"a\": 17, \r\n", "10001\r\n" + String(repeating: "x", count: 65537)]
            ),
            ("Content-Length: 21\r\n", [#"{"a": 17, "#, "later"]),
        ])
    func anEarlyAnswerClosesTheConnection(framing: String, pieces: [String]) throws {
        let bench = try Self.earlyBench()
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send("HTTP/1.1 200 OK\r\n\(framing)\r\n" + pieces[0])
        #expect(client.answers.first?.text == "17")
        for piece in pieces.dropFirst() where piece != "later" { try bench.origin().send(piece) }
        if pieces.last == "later" { bench.advance(by: .milliseconds(1100)) }
        #expect(try bench.origin().isClosed)
        bench.expectQuiet()
    }

    private static func earlyBench() throws -> Bench {
        try Bench(
            Build.configuration([
                try Build.binding("GET /a", to: "fruit /a", value: "Int") {
                    $0.parent = FieldPath("a")
                    $0.early = true
                }
            ]))
    }

    // MARK: - Hold, then stream (DESIGN §5)

    @Test(arguments: [1, 100, .max])
    func aLongSliceStreams(pieces: Int) throws {
        let value = "[" + (0..<500).map(String.init).joined(separator: ", ") + "]"
        let client = try Self.answer(Self.json(#"{"a": \#(value)}"#), pieces: pieces) {
            $0.parent = FieldPath("a")
            $0.value = .array(.scalar(.int))
            $0.holdBytes = 200
        }
        #expect(client.answers.first?.text == value)
        #expect(client.answers.first?.isChunked == true)
        #expect(client.answers.first?.isComplete == true)
    }

    /// A late failure: no client may take what it has for the whole.
    @Test(arguments: [#", "x"]}"#, "]", "]} x", "]}}"])
    func aLateFaultIsVisible(end: String) throws {
        let value = "[" + (0..<500).map(String.init).joined(separator: ", ")
        let client = try Self.answer(Self.json(#"{"a": \#(value)"# + end), pieces: 64) {
            $0.parent = FieldPath("a")
            $0.value = .array(.scalar(.int))
            $0.holdBytes = 200
        }
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?.isComplete == false)
        #expect(client.isClosed)
    }

    // MARK: - Cut short (RFC 9112 §8)

    @Test(arguments: ["", "H", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"])
    func anAnswerCutInItsHeadIsA502(text: String) throws {
        let client = try Self.answer(text, end: true) { _ in }
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.isComplete == true)
    }

    @Test(
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n1234", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n0\r\n",
        ])
    func anAnswerCutInItsBodyLooksCut(text: String) throws {
        let client = try Self.answer(text, end: true) { _ in }
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?.isComplete == false)
        #expect(client.isClosed)
        // Typed, it is held, and a proper problem.
        let typed = try Self.answer(text, end: true) { $0.value = .scalar(.json) }
        #expect(typed.answers.first?.status == 502)
        #expect(typed.answers.first?.text.contains("upstream-truncated") == true)
    }

    @Test func theEndOfTheConnectionIsTheEndOfTheBody() throws {
        let text = "HTTP/1.1 200 OK\r\n\r\nsome text"
        let client = try Self.answer(text, end: true) { _ in }
        #expect(client.answers.first?.text == "some text")
        #expect(client.answers.first?.isComplete == true)
        #expect(client.answers.first?.isChunked == true)
    }

    /// A reset is not an end, whatever the framing (RFC 9112 §9.8).
    @Test func aResetIsNoEnd() throws {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a")]))
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send("HTTP/1.1 200 OK\r\n\r\nsome text")
        try bench.origin().reset()
        #expect(client.answers.first?.isComplete == false)
        #expect(client.isClosed)
    }

    @Test(
        arguments: [
            "HTTP/1.1 2x0 OK\r\n\r\n", "junk\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 101 Switching\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
        ])
    func anAnswerThatIsNoHTTPIsA502(text: String) throws {
        let client = try Self.answer(text) { _ in }
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.text.contains("upstream-protocol") == true)
    }
}
