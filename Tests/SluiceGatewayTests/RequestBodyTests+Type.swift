import SluiceContract
import Testing

@testable import SluiceGateway

// What a body says it is, and that there is none.
extension RequestBodyTests {
    private static let fruit = #"{"name": "x", "size": 2}"#

    private static func forms(_ binding: inout Binding) throws {
        binding.body = .form(try Build.object(["a": "Int"]))
    }

    /// JSON is UTF-8 (RFC 8259 §8.1): a body that is checked as such means the same to whoever reads it next.
    @Test(
        arguments: [
            ("application/json", 201), ("application/json; charset=utf-8", 201),
            ("application/json;charset=\"UTF-8\"", 201),
            ("application/json; charset=us-ascii", 201), ("application/json; odata.metadata=none", 201),
            ("application/json; charset=utf-7", 415), ("application/json; charset=utf-16le", 415),
            ("application/json; charset=utf-8; charset=utf-7", 415),
            ("application/json; charset=utf-8, text/html", 415),
            ("application/json\r\nContent-Type: application/json", 415),
            ("application/json\r\nContent-Type: text/html", 415), ("application/json, application/json", 415),
        ])
    func whatIsCheckedIsUTF8(type: String, status: Int) throws {
        let bench = try Self.bench { $0.body = .json(.named("Fruit")) }
        let answer = try bench.exchange(
            Self.request(Self.fruit, type: type), answer: "HTTP/1.1 201 X\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.status == status)
        #expect(bench.origins.isEmpty == (status == 415))
        if status == 201 { #expect(try bench.forwarded().values("Content-Type") == [type]) }
    }

    @Test(arguments: [("", 201), ("; charset=utf-8", 201), ("; charset=utf-16", 415)])
    func formsAreUTF8(charset: String, status: Int) throws {
        let bench = try Self.bench(Self.forms)
        let answer = try bench.exchange(
            Self.request("a=1", type: "application/x-www-form-urlencoded" + charset),
            answer: "HTTP/1.1 201 X\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.status == status)
    }

    /// A charset that is asked for is said once.
    @Test(arguments: [
        ("text/plain; charset=latin1", 200), ("text/plain; charset=latin1; charset=utf-8", 415), ("text/plain", 415),
    ])
    func theDeclaredCharset(type: String, status: Int) throws {
        let bench = try Self.bench { $0.body = .text(charset: "latin1") }
        #expect(try bench.exchange(Self.request("abc", type: type)).status == status)
    }

    /// RFC 9110 §8.3: what the client does not say is said for it, where it is known.
    @Test func aBodyIsLabelled() throws {
        let cases: [((inout Binding) throws -> Void, String, String?)] = [
            ({ $0.body = .json(.named("Fruit")) }, Self.fruit, "application/json"),
            (Self.forms, "a=1", "application/x-www-form-urlencoded"),
            ({ $0.body = .text(charset: nil) }, "a", "text/plain"),
            ({ $0.body = .text(charset: "utf-8") }, "a", "text/plain; charset=utf-8"),
            ({ $0.body = .raw(mediaType: "image/png") }, "a", "image/png"),
            ({ $0.body = .multipart }, "a", nil), ({ _ in }, "a", nil),
        ]
        for (edit, body, type) in cases {
            for isChunked in [true, false] {
                let bench = try Self.bench(edit)
                try bench.exchange(Self.request(body, type: nil, isChunked: isChunked))
                #expect(try bench.forwarded()["Content-Type"] == type)
            }
            let configured = try Self.bench {
                try edit(&$0)
                $0.headers = [HeaderSetting(name: "Content-Type", value: "a/b")]
            }
            try configured.exchange(Self.request(body, type: nil))
            #expect(try configured.forwarded().values("Content-Type") == ["a/b"])
        }
    }

    /// RFC 9112 §7.1: chunks show with their end that there is nothing.
    @Test(arguments: [1, .max])
    func nothingInChunksIsNoBody(pieces: Int) throws {
        let bench = try Self.bench { $0.body = Binding.Body.none }
        let client = bench.client()
        client.request(Self.request("", type: nil, isChunked: true), inPiecesOf: pieces)
        let forwarded = try bench.forwarded()
        #expect(forwarded.isComplete)
        #expect(forwarded["Content-Length"] == "0")
        #expect(forwarded["Transfer-Encoding"] == nil)
        try bench.origin().answer(200, body: "ok")
        #expect(client.answers.first?.text == "ok")
        bench.expectQuiet()
        for body in ["x", "xyz"] {
            let refused = try bench.exchange(Self.request(body, type: nil, isChunked: true))
            #expect(refused.status == 400)
        }
        let asking = Self.request("", type: nil, isChunked: true)
            .replacing("Host: localhost\r\n", with: "Host: localhost\r\nExpect: 100-continue\r\n")
        #expect(try bench.exchange(asking).status == 400)
    }

    /// `answer: echo` wants no type of the answer, and no content in it.
    @Test(arguments: [nil, "JSON"] as [String?], [(200, 200), (201, 201), (202, 202), (204, 200), (205, 200)])
    func anEchoNeedsNoAnswer(value: String?, statuses: (Int, Int)) throws {
        let bench = try Self.bench {
            $0.body = .json(.named("Fruit"))
            $0.wrap = ["fruit"]
            $0.answer = .echo
            $0.value = try value.map(Build.type)
        }
        let client = bench.client()
        client.request(Self.request(Self.fruit))
        let length = statuses.0 == 204 ? "" : "Content-Length: 0\r\n"
        try bench.origin().send("HTTP/1.1 \(statuses.0) Some Reason\r\n\(length)Location: /f/1\r\n\r\n")
        let answer = try #require(client.answers.first)
        #expect(answer.status == statuses.1)
        #expect(answer.startLine.hasSuffix("Some Reason") == (statuses.0 == statuses.1))
        #expect(answer.text == Self.fruit)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["Location"] == "/f/1")
        bench.expectQuiet()
    }

    /// The client's own words: neither the upstream's keys nor defaults that were filled in.
    @Test(arguments: [1, .max])
    func anEchoIsWhatTheClientSent(pieces: Int) throws {
        let bench = try Self.bench {
            $0.body = .json(
                .object(
                    ObjectType(fields: [
                        ObjectType.Field(name: "a", from: "b", type: .scalar(.int)),
                        ObjectType.Field(name: "c", type: .scalar(.int), defaultJSON: "7"),
                    ])))
            $0.answer = .echo
        }
        let client = bench.client()
        client.request(Self.request(#" {"a" : 1} "#), inPiecesOf: pieces)
        #expect(try bench.forwarded().text.contains(#""b" : 1"#))
        #expect(try bench.forwarded().text.contains("7"))
        try bench.origin().answer(200, body: "{}")
        #expect(client.answers.first?.text == #" {"a" : 1} "#)
        // Nothing of it is left for the next one.
        client.request(Self.request(#"{"a":2}"#))
        try bench.origin().answer(204)
        #expect(client.answers.last?.text == #"{"a":2}"#)
    }

    /// What goes back is held, and bounded by `hold:` however little of it goes upstream.
    @Test func anEchoIsHeldToALimit() throws {
        let bench = try Self.bench {
            $0.body = .json(.object(ObjectType(fields: [ObjectType.Field(name: "a", type: .scalar(.int))])))
            $0.unknownKeys = .drop
            $0.answer = .echo
            $0.holdBytes = 1000
        }
        let pad = String(repeating: "x", count: 5000)
        let client = bench.client()
        client.request(Self.request(#"{"pad":"\#(pad)","a":1}"#), inPiecesOf: 500)
        try bench.origin().answer(200, body: "{}")
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.text.contains("raise 'hold:'") == true)
    }

    /// RFC 9110 §14.5: a part is no document.
    @Test func aPartOfABodyIsNotChecked() throws {
        for (edit, status) in [({ $0.body = .json(.scalar(.json)) }, 400), ({ _ in }, 200)]
            as [((inout Binding) throws -> Void, Int)]
        {
            let bench = try Self.bench(edit)
            let request = Self.request("[1]").replacing(
                "Content-Length", with: "Content-Range: bytes 0-2/9\r\nContent-Length")
            #expect(try bench.exchange(request).status == status)
            #expect(bench.origins.isEmpty == (status == 400))
        }
    }

    /// What the upstream did not accept is not given back.
    @Test(arguments: [302, 400, 500])
    func noEchoOfWhatWasRefused(status: Int) throws {
        let bench = try Self.bench {
            $0.body = .json(.named("Fruit"))
            $0.answer = .echo
        }
        let answer = try bench.exchange(
            Self.request(Self.fruit), answer: "HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\nno")
        #expect(answer.status == status)
        #expect(answer.text == "no")
    }
}
