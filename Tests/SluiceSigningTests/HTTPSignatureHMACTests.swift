import Testing

@testable import SluiceSigning

/// What is expected was made by Python's `hmac` from the texts that the comments show.
@Suite struct HTTPSignatureHMACTests {
    typealias Scheme = HTTPSignatureHMAC.Scheme

    /// 2015-08-30 12:36:00.042 UTC.
    private static let now = 1_440_938_160_042

    private func lines(
        _ scheme: Scheme, _ method: String, _ target: String, fields: [(String, String)] = [], body: String = "",
        now: Int = now
    ) throws -> String {
        let signer = try HTTPSignatureHMAC(scheme, keyID: "me", key: SecretBytes("key"))
        let digest = signer.bodyHash.map { $0.digest(of: Array(body.utf8)) } ?? []
        return SampleRequest.lend(method, target, host: "api.example", fields: fields) { request in
            let lines = signer.lines(for: request, bodyDigest: digest, atMilliseconds: now, nonce: "n-1")
            return String(decoding: lines, as: UTF8.self)
        }
    }

    /// `GET⏎/a/b?x=1&y=2⏎1440938160`.
    @Test func targetAndDate() throws {
        let scheme = Scheme(
            parts: [.method, .target, .date],
            fields: [.init("Authorization", "HMAC {key-id}:{signature}"), .init("X-Date", "{date}")])
        #expect(
            try lines(scheme, "GET", "/a/b?x=1&y=2")
                == "Authorization: HMAC me:c9d7e373281a54fd3af76f0769ef8c97f2f06b5fcb46bce9692d81d867120307\r\n"
                + "X-Date: 1440938160\r\n")
    }

    /// `POST|/a/b|x=1&y=2|api.example|1440938160042|n-1|` and the body's SHA-256 in Base64.
    @Test func bodyAndNonce() throws {
        var scheme = Scheme(
            parts: [.method, .path, .query, .host, .date, .nonce, .bodyHash],
            fields: [
                .init("Digest", "SHA-256={body-hash}"), .init("X-Time", "{date}"), .init("X-Nonce", "{nonce}"),
                .init("X-Signature", "{signature}"),
            ])
        scheme.separator = "|"
        scheme.function = .sha512
        scheme.encoding = .base64
        scheme.dateFormat = .epochMilliseconds
        scheme.bodyHashEncoding = .base64
        #expect(
            try lines(scheme, "POST", "/a/b?x=1&y=2", body: "{\"a\":1}")
                == "Digest: SHA-256=AVq9f1zFei3ZS3WQ8ErYCEJzkF7jPsXOvq5iJ2qX+GI=\r\n"
                + "X-Time: 1440938160042\r\nX-Nonce: n-1\r\n"
                + "X-Signature: "
                + "BxBPe9BuTobkUM4nNMDeZFYL61i+2v/htcVIZrAf3vkGE+3Ubqzu0WlO1IRjPe9x1A2QcqB+0WsHUzsLph06+Q==\r\n")
    }

    /// As drafts of HTTP Signatures had it: `(request-target): post /a/b?x=1&y=2⏎host: api.example⏎date: ` and the
    /// date.
    @Test func draftOfHTTPSignatures() throws {
        var scheme = Scheme(
            parts: [
                .text("(request-target): "), .lowercaseMethod, .text(" "), .target, .text("\nhost: "), .host,
                .text("\ndate: "), .date,
            ],
            fields: [.init("Date", "{date}"), .init("Signature", "keyId=\"{key-id}\",signature=\"{signature}\"")])
        scheme.separator = ""
        scheme.encoding = .base64url
        scheme.dateFormat = .http
        #expect(
            try lines(scheme, "POST", "/a/b?x=1&y=2")
                == "Date: Sun, 30 Aug 2015 12:36:00 GMT\r\n"
                + "Signature: keyId=\"me\",signature=\"HXz-qdVAF1ZnrR8ih2ygytkNcKzpndw_DfdONUGTLHw\"\r\n")
    }

    /// `GET⏎⏎text/plain, text/html⏎/a/b`: a field that is not there, and one that stands twice.
    @Test func fields() throws {
        var scheme = Scheme(
            parts: [.method, .header("Content-MD5"), .header("Accept"), .path], fields: [.init("A", "{signature}")])
        scheme.function = .sha1
        scheme.allowsSHA1 = true
        scheme.encoding = .base64
        let fields = [("ACCEPT", "text/plain"), ("Accept-Language", "en"), ("accept", "text/html")]
        #expect(try lines(scheme, "GET", "/a/b", fields: fields) == "A: z59zinGRjDsnHxB8xLJQCH7ebj8=\r\n")
    }

    /// A date that is signed as the field it is sent in, whatever the client sends there.
    @Test func ownFields() throws {
        let fields = [
            HTTPSignatureHMAC.Field("Authorization", "{signature}"), .init("X-Date", "{date}; {nonce} {key-id}"),
        ]
        let byField = Scheme(parts: [.method, .header("x-date")], fields: fields)
        var byParts = Scheme(
            parts: [.method, .text("\n"), .date, .text("; "), .nonce, .text(" me")], fields: fields)
        byParts.separator = ""
        #expect(
            try lines(byField, "GET", "/", fields: [("X-Date", "other")]) == lines(byParts, "GET", "/"))
    }

    /// The host, which is not among the fields.
    @Test func hostAsAField() throws {
        let scheme = Scheme(parts: [.header("Host")], fields: [.init("A", "{signature}")])
        let other = Scheme(parts: [.host], fields: [.init("A", "{signature}")])
        #expect(try lines(scheme, "GET", "/") == lines(other, "GET", "/"))
    }

    /// The body's hash alone, of no body; it need not be sent.
    @Test func noBody() throws {
        let scheme = Scheme(parts: [.bodyHash], fields: [.init("A", "{signature}")])
        #expect(
            try lines(scheme, "GET", "/")
                == "A: 75c040996f4e27689c78dd0babecd142b4bb61e78d505d6adcbafab971065dfb\r\n")
    }

    @Test(arguments: [
        (0, "0", "Thu, 01 Jan 1970 00:00:00 GMT"), (999, "0", "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "-1", "Wed, 31 Dec 1969 23:59:59 GMT"), (-1000, "-1", "Wed, 31 Dec 1969 23:59:59 GMT"),
        (784_111_777_000, "784111777", "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400_000, "951782400", "Tue, 29 Feb 2000 00:00:00 GMT"),
    ])
    func dates(milliseconds: Int, seconds: String, text: String) throws {
        for (format, date) in [
            (HTTPSignatureHMAC.DateFormat.epochSeconds, seconds), (.epochMilliseconds, "\(milliseconds)"),
            (.http, text),
        ] {
            var scheme = Scheme(parts: [.date], fields: [.init("D", "{date}"), .init("S", "{signature}")])
            scheme.dateFormat = format
            #expect(try lines(scheme, "GET", "/", now: milliseconds).hasPrefix("D: \(date)\r\n"))
        }
    }

    @Test func bodyHashesAreAskedForWhereTheyAreUsed() throws {
        func asked(_ parts: [HTTPSignatureHMAC.Part], _ template: String) throws -> HashFunction? {
            var scheme = Scheme(parts: parts, fields: [.init("A", template)])
            scheme.bodyHash = .sha512
            return try HTTPSignatureHMAC(scheme, keyID: "me", key: SecretBytes("key")).bodyHash
        }
        #expect(try asked([.path], "{signature}") == nil)
        #expect(try asked([.bodyHash], "{signature}") == .sha512)
        #expect(try asked([.path], "{signature} {body-hash}") == .sha512)
    }

    @Test func noncesDiffer() throws {
        let scheme = Scheme(parts: [.nonce], fields: [.init("A", "{nonce} {signature}")])
        let signer = try HTTPSignatureHMAC(scheme, keyID: "me", key: SecretBytes("key"))
        let made = SampleRequest.lend("GET", "/", host: "h") { request in
            (0..<20).map { _ in signer.lines(for: request, atMilliseconds: 0) }
        }
        #expect(Set(made).count == 20)
    }

    struct Mistake: Sendable {
        var parts: [HTTPSignatureHMAC.Part] = [.path]
        var name = "A"
        var template = "{signature}"
        var keyID = "me"
        var key = "key"
        var function = HashFunction.sha256
        let error: HTTPSignatureHMACError
        let text: String
    }

    static let mistakes: [Mistake] = [
        .init(
            function: .sha1, error: .sha1,
            text: "hmac-sha1 is refused: take hmac-sha256, or allow SHA-1 where the API knows nothing else"),
        .init(
            parts: [], error: .nothingSigned, text: "nothing is signed: name the parts that the API asks for"),
        .init(key: "", error: .emptyKey, text: "the key is empty: copy it again"),
        .init(
            template: "HMAC {key-id}", error: .notSent(.signature),
            text: "the signature is not sent, so that nobody can verify it: put {signature} into a field"),
        .init(
            parts: [.path, .date], error: .notSent(.date),
            text: "the date is not sent, so that nobody can verify it: put {date} into a field"),
        .init(
            parts: [.nonce], error: .notSent(.nonce),
            text: "the nonce is not sent, so that nobody can verify it: put {nonce} into a field"),
        .init(
            parts: [.path, .header("a")], error: .signsItself("a"),
            text: "a holds the signature and cannot be signed: leave it out of the parts"),
        .init(
            template: "{signature} {user}", error: .unknownPlaceholder("user"),
            text: "{user} is not known: use {key-id}, {signature}, {date}, {nonce}, {body-hash}"),
        .init(
            template: "{signature", error: .unknownPlaceholder("signature"),
            text: "{signature} is not known: use {key-id}, {signature}, {date}, {nonce}, {body-hash}"),
        .init(
            template: "{signature}\r\nB: c", error: .unsendable("{signature}\r\nB: c"),
            text: "'{signature}B: c' cannot stand in a field: leave out blanks at its ends, control characters and "
                + "what is not ASCII"),
        .init(
            keyID: "mé", error: .unsendable("mé"),
            text: "'mé' cannot stand in a field: leave out blanks at its ends, control characters and what is not ASCII"
        ),
        .init(
            name: "A B", error: .unsendable("A B"),
            text:
                "'A B' cannot stand in a field: leave out blanks at its ends, control characters and what is not ASCII"
        ),
    ]

    @Test(arguments: mistakes)
    func mistakesAreFound(mistake: Mistake) {
        var scheme = Scheme(parts: mistake.parts, fields: [.init(mistake.name, mistake.template)])
        scheme.function = mistake.function
        #expect(throws: mistake.error) {
            try HTTPSignatureHMAC(scheme, keyID: mistake.keyID, key: SecretBytes(mistake.key))
        }
        #expect(mistake.error.description == mistake.text)
    }
}
