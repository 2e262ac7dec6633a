import SluiceContract
import Testing

@testable import SluiceGateway

/// No text of an upstream carries a credential that was sent to it any further.
@Suite struct CredentialMaskTests {
    static let token = "eyJhbGciOi+JIUzI1/NiIs.InR5-cCI6Ikp_XVCJ9~end="

    static func masked(_ text: String, _ credential: String = token) -> String {
        var mask = CredentialMask()
        mask.insert(credential.utf8)
        return mask.applied(to: text)
    }

    @Test(
        arguments: [
            ("", ""), ("a word", "a word"), (token, "***"), ("\(token)\(token)", "***"),
            ("token '\(token)' has expired", "token '***' has expired"),
            ("Bearer \(token), Bearer \(token)", "Bearer ***, Bearer ***"),
            // Percent-encoded, and with the escapes that JSON allows.
            ("?t=eyJhbGciOi%2BJIUzI1%2fNiIs.InR5-cCI6Ikp_XVCJ9~end%3D&x", "?t=***&x"),
            (#"string "eyJhbGciOi+JIUzI1\/NiIs.InR5-cCI6Ikp_XVCJ9~end=""#, #"string "***""#),
            (#"eyJ\u0068bGciOi+JIUzI1/NiIs.InR5-cCI6Ikp_XVCJ9~end\u003d"#, "***"),
            // A piece of it, as whoever cuts texts leaves one.
            ("string \"\(token.prefix(30))…", "string \"***…"), ("\(token.prefix(6))…", "***…"),
            ("…\(token.suffix(20))!", "…***!"),
            ("\(token.prefix(6))… It was tried 2 times.", "***… It was tried 2 times."),
            // What only looks like the beginning of one.
            ("eyJhbG", "eyJhbG"), ("eyJ…", "eyJ…"), ("100 %", "100 %"), ("%zz%4", "%zz%4"), (#"\"#, #"\"#),
            (#"\u00"#, #"\u00"#),
            ("é \(token) ü", "é *** ü"),
        ])
    func isTakenOut(text: String, shown: String) {
        #expect(Self.masked(text) == shown)
    }

    /// Alone, after a user's name, and behind each number of other bytes; in both alphabets (RFC 4648 §4, §5).
    @Test(arguments: ["", "a", "ab", "abc", "user:", "Bearer "])
    func base64IsTakenOut(before: String) {
        for after in ["", "x", "xy", "xyz"] {
            let encoded = Self.base64(before + Self.token + after)
            for text in [
                encoded, encoded.replacing("+", with: "-").replacing("/", with: "_"), encoded.replacing("=", with: ""),
            ] {
                let shown = Self.masked("<\(text)>")
                #expect(shown.contains("***"))
                #expect(shown.utf8.count < 3 + 2 + (before.utf8.count + after.utf8.count) * 2 + 8, "\(shown)")
            }
        }
    }

    /// What looks in a secret as if something were encoded in it is undone with the encoding around it, and is not.
    @Test(arguments: [
        #"cor\rect%41ho"#, "ab%2Fcd%2Fef%2Fgh", #"MKpw%41"s\bq&<y>z"#, #"S%3Fx\t"#, #"MK%25q"q\nq"#, "p\u{E4}ss\tw-9",
    ])
    func secretsThatHoldEscapes(secret: String) {
        let texts = [
            secret, Self.percent(secret), Self.percent(Self.percent(secret)), Self.json(secret),
            Self.json(Self.json(secret)), Self.percent(Self.json(secret)),
        ]
        for text in texts { #expect(Self.masked("<\(text)>", secret) == "<***>", "\(text)") }
        #expect(Self.masked("a word", secret) == "a word")
    }

    @Test func charactersAreEscapedAsOne() {
        #expect(Self.masked(#"<p\u00e4ss\tw-9>"#, "p\u{E4}ss\tw-9") == "<***>")
    }

    private static func percent(_ text: String) -> String {
        text.utf8.map { byte -> String in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isPlain { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    private static func json(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
    }

    @Test func shortCredentialsCountWhole() {
        #expect(Self.masked("s3cret!", "s3cret") == "***!")
        #expect(Self.masked("s3cre!", "s3cret") == "s3cre!")
        #expect(Self.masked("a b c", "b") == "a b c")
    }

    /// What is configured may be anything: nothing at all, one byte, and more than anybody would look for.
    @Test(arguments: [0, 1, 2, 3, 4, 11, 12, 13, 40_000])
    func anyLength(count: Int) {
        let credential = String(repeating: "x7", count: count).prefix(count)
        #expect(Self.masked("<\(credential)>", String(credential)).contains("***") == (count >= 4))
        #expect(Self.masked("words", String(credential)) == "words")
    }

    @Test(
        arguments: [
            ("Bearer", "Bearer realm"), ("Token s3cret-of-ours", "a s3cret-of-ours"),
            ("s3cret-of-ours", "s3cret-of-ours"),
        ])
    func fieldsHaveSchemes(field: String, text: String) {
        var mask = CredentialMask()
        mask.insert(field: Array(field.utf8))
        #expect(!mask.applied(to: text).contains("s3cret"))
        #expect(mask.applied(to: "Bearer realm") == "Bearer realm")
    }

    // MARK: - Through the corridor

    static let echoes = [
        #"{"error": {"message": "bad token \#(token)", "code": "\#(token)"}}"#,
        #"{"error": {"message": "\#(base64(token))"}}"#,
        #"{"error": {"message": "\#(String(repeating: "x", count: 990))\#(token)"}}"#,
    ]

    @Test(arguments: echoes)
    func errorsOfAnUpstream(body: String) throws {
        let text = try Self.answer("HTTP/1.1 403 No\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)").text
        Self.expectNoToken(in: text)
        #expect(text.contains("***"))
    }

    @Test(
        arguments: [
            #"{"v": "\#(token)"}"#, #"{"v": "\#(String(repeating: "x", count: 50))\#(token)"}"#,
            #"{"v": {"\#(token)": 1}}"#,
            #"{"v": "\#(base64("user:" + token))"}"#,
        ])
    func faultsOfAType(body: String) throws {
        let text = try Self.answer("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)").text
        Self.expectNoToken(in: text)
        #expect(text.contains("type-mismatch"))
    }

    @Test func challenges() throws {
        let challenge = "Bearer error_description=\"\(Self.token)\""
        let answer = try Self.answer(
            "HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")
        #expect(answer["WWW-Authenticate"] == "Bearer error_description=\"***\"")
    }

    /// A token that was replaced while the request was under way is one that the upstream has seen.
    @Test func theTokenBefore() throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request("GET", "/a")
        bench.vaults["bearer of fruit"]?.set(.init(Array("another-token-altogether".utf8)))
        try bench.origin().send(
            "HTTP/1.1 403 No\r\nContent-Length: \(Self.echoes[0].utf8.count)\r\n\r\n\(Self.echoes[0])")
        Self.expectNoToken(in: try #require(client.answers.first).text)
    }

    /// Where the client's own credentials go through, they are what the upstream may echo.
    @Test func theClientsOwn() throws {
        let bench = try Self.bench(hasBearer: false)
        let text = try bench.exchange(
            "GET /a HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(Self.token)\r\n\r\n",
            answer: Self.refusal
        ).text
        Self.expectNoToken(in: text)
    }

    /// What else a client shows who it is by, and what is none.
    @Test(arguments: ["X-API-Key: \(token)", "Cookie: theme=dark; session=\(token)"])
    func otherCredentialsOfTheClient(field: String) throws {
        Self.expectNoToken(in: try Self.bench().get("/a", field, answer: Self.refusal).text)
        let dark = "HTTP/1.1 403 No\r\nContent-Length: 34\r\n\r\n{\"error\":{\"message\":\"the dark\"}}  "
        #expect(try Self.bench().get("/a", field, answer: dark).text.contains("the dark"))
    }

    /// A key that the page sends in a field of its own is one, too.
    @Test func keysInFields() throws {
        let bench = try Self.bench(hasBearer: false) { $0.headers = [.init(name: "X-API-Key", value: Self.token)] }
        let text = try bench.get("/a", answer: Self.refusal).text
        Self.expectNoToken(in: text)
        #expect(text.contains("***"))
        let harmless = try Self.bench(hasBearer: false) { $0.headers = [.init(name: "X-Trace", value: Self.token)] }
        #expect(try harmless.get("/a", answer: Self.refusal).text.contains(Self.token.prefix(12)))
    }

    static let refusal = "HTTP/1.1 403 No\r\nContent-Length: \(echoes[0].utf8.count)\r\n\r\n\(echoes[0])"

    static func bench(hasBearer: Bool = true, _ edit: (inout Upstream) -> Void = { _ in }) throws -> Bench {
        let upstream = Build.upstream {
            if hasBearer { $0.bearer = .value("x") }
            edit(&$0)
            $0.error = ErrorPaths(message: FieldPath("error.message"), code: FieldPath("error.code"))
        }
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.parent = FieldPath("v")
            $0.value = .dictionary(.scalar(.bool))
        }
        return try Bench(
            Build.configuration([binding], upstreams: [upstream]), tokens: hasBearer ? ["fruit": token] : [:])
    }

    static func answer(_ answer: String) throws -> Message { try bench().get("/a", answer: answer) }

    static func expectNoToken(in text: String) {
        for part in [token.prefix(12), token.dropFirst(20).prefix(12)] { #expect(!text.contains(part), "\(text)") }
        for text in [text, text.replacing("\\/", with: "/")] { #expect(!text.contains(base64(token).prefix(16))) }
    }

    static func base64(_ text: String) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 3).map { start in
            let group = bytes[start...].prefix(3)
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            let characters = (0..<group.count + 1).map { String(alphabet[bits >> (18 - 6 * $0) & 63]) }
            return characters.joined() + String(repeating: "=", count: 3 - group.count)
        }.joined()
    }
}
