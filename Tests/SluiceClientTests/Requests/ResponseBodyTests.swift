import SluiceClient
import Testing

/// What a request's response reads from an answer: rows P6, P8 to P12, P14.
@Suite struct ResponseBodyTests {
    struct Ask<Answer: Decodable & Sendable>: Request {
        typealias Response = Answer
    }

    static func read<Answer: Decodable & Sendable>(
        _ type: Answer.Type, _ answer: WholeAnswer, keys: KeyCoding = .asWritten
    ) async throws(CallError) -> Answer {
        let coding = JSONCoding(keys: keys)
        let client = GatewayClient(transport: ScriptedTransport { _ in answer }, settings: .init(coding: coding))
        return try await client.send(Ask<Answer>())
    }

    struct Message: Codable, Equatable {
        var message: String
    }

    struct Whole: Decodable {
        @ResponseBody<[Fruit]> var body
        @ResponseErrorBody<Message> var errorBody
        @ResponseStatusCode var statusCode
    }

    /// P8: the body of a success, and of a redirection that has one; an empty 204 is no broken JSON.
    @Test(
        arguments: [
            (200, "[]", 0), (206, "[]", 0), (300, "[]", 0), (204, "", nil), (304, "", nil), (404, "", nil),
            (404, #"{"message":"m"}"#, nil),
        ] as [(Int, String, Int?)])
    func p8BodyByStatus(status: Int, text: String, count: Int?) async throws {
        let answer = WholeAnswer(status: status, body: Array(text.utf8))
        let whole = try await Self.read(Whole.self, answer)
        #expect(whole.body?.count == count && whole.statusCode == status)
        #expect(whole.errorBody == (text.hasPrefix("{") ? Message(message: "m") : nil))
    }

    @Test func p8AnEmptyBodyWhereOneMustBe() async throws {
        struct Strict: Decodable { @ResponseBody<[Fruit]> var body }
        struct Loose: Decodable { @ResponseBody<[Fruit]>.OptionalContent var body }
        let empty = WholeAnswer(status: 200)
        await #expect(throws: CallError.self) { try await Self.read(Strict.self, empty) }
        #expect(try await Self.read(Loose.self, empty).body == nil)
    }

    private struct Lenient: Decodable {
        var size: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            size = (try? container.decode(Int.self, forKey: .size)) ?? -1
        }

        private enum Keys: CodingKey { case size }
    }

    private enum Shape: Decodable, Equatable {
        case circle(radius: Int)
    }

    /// A type without wrapped properties is that of the body, however it reads its members.
    @Test func aTypeMayBeTheBodysOwn() async throws {
        let counts = try await Self.read([String: Int].self, .json(#"{"figs":3}"#))
        #expect(counts == ["figs": 3])
        let lenient = try await Self.read(Lenient.self, .json(#"{"size":7}"#))
        #expect(lenient.size == 7)
        let shape = try await Self.read(Shape.self, .json(#"{"circle":{"radius":2}}"#))
        #expect(shape == .circle(radius: 2))
    }

    private struct Tagged: Decodable {
        @ResponseBody<Message> var body
        @ResponseHeader<DefaultHeaderStrategy> var etag: String
    }

    /// The status comes first: an error that lacks a field is that error.
    @Test func anErrorHidesBehindNoMissingField() async throws {
        let error = await #expect(throws: CallError.self) {
            try await Self.read(Tagged.self, WholeAnswer(status: 503))
        }
        #expect(error?.status == 503)
    }

    struct PerStatus: Decodable {
        @ResponseBody<Message>.Status200 var found
        @ResponseBody<Fruit>.Status201 var created
        @ResponseBody<Message>.Status303 var elsewhere
        @ResponseErrorBody<Message>.Status404 var missing
        @ResponseErrorBody<Message>.Status422 var wrong
    }

    @Test(arguments: [200, 201, 303, 404, 422])
    func p8p9BodiesPerStatus(status: Int) async throws {
        let json = status == 201 ? #"{"name":"fig","size":1,"color":"c"}"# : #"{"message":"m"}"#
        let answer = try await Self.read(PerStatus.self, .json(json, status: status))
        #expect((answer.found != nil) == (status == 200))
        #expect((answer.created != nil) == (status == 201))
        #expect((answer.elsewhere != nil) == (status == 303))
        #expect((answer.missing != nil) == (status == 404))
        #expect((answer.wrong != nil) == (status == 422))
    }

    /// P9: an error that the response has no place for is thrown, as the gateway tells it; the trap is that an empty
    /// error body is a broken one.
    @Test func p9ErrorsWithoutAPlaceAreThrown() async {
        struct Bare: Decodable { @ResponseBody<[Fruit]> var body }
        let problem = WholeAnswer.problem(#"{"type":"urn:sluice:problem:rate-limited"}"#, status: 429)
        #expect(await Self.error(Bare.self, problem)?.kind == .rateLimited)
        #expect(await Self.error(PerStatus.self, problem)?.kind == .rateLimited)
        #expect(await Self.error(EmptyResponse.self, problem)?.kind == .rateLimited)
        #expect(await Self.error([Fruit].self, problem)?.kind == .rateLimited)
    }

    private static func error<Answer: Decodable & Sendable>(_ type: Answer.Type, _ answer: WholeAnswer) async
        -> CallError?
    {
        do throws(CallError) {
            _ = try await read(type, answer)
            return nil
        } catch {
            return error
        }
    }

    @Test func p9TheGatewaysProblemAsAnErrorBody() async throws {
        struct Told: Decodable { @ResponseErrorBody<GatewayProblem> var problem }
        let problem = WholeAnswer.problem(#"{"type":"urn:sluice:problem:draining","status":503}"#, status: 503)
        #expect(try await Self.read(Told.self, problem).problem?.kind == .draining)
    }

    @Test func p10NamesComeBack() async throws {
        struct Counted: Decodable {
            struct Body: Decodable { var itemCount: Int }
            @ResponseBody<Body> var body
        }
        let json = try await Self.read(Counted.self, .json(#"{"item_count":3}"#), keys: .snakeCase)
        let type = CallField("Content-Type", "application/x-www-form-urlencoded")
        let form = WholeAnswer(status: 200, fields: [type], body: Array("item_count=4".utf8))
        #expect(json.body?.itemCount == 3)
        #expect(try await Self.read(Counted.self, form, keys: .snakeCase).body?.itemCount == 4)
    }

    struct Headers: Decodable {
        @ResponseHeader<DefaultHeaderStrategy> var contentType: String
        @ResponseHeader<DefaultHeaderStrategyOptional> var etag: String?
        @ResponseHeader<AllHeadersStrategy> var link: [String]
        @ResponseHeader<DefaultHeaderStrategy> var total: String
        @ResponseCookies var cookies

        enum CodingKeys: String, CodingKey {
            case contentType, etag, link, cookies
            case total = "X-Total-Count"
        }
    }

    /// P11: header fields without regard to case; the trap is that fields that stand more than once are lost.
    @Test func p11HeaderFields() async throws {
        let fields = [
            CallField("LINK", "<a>"), CallField("link", "<b>"), CallField("x-total-count", "7"),
            CallField("Set-Cookie", "sid=1; Path=/; HttpOnly; Max-Age=60; SameSite=Lax"),
            CallField("set-cookie", "theme=dark; Secure"),
        ]
        let headers = try await Self.read(Headers.self, .json("{}", fields: fields))
        #expect(headers.contentType == "application/json" && headers.etag == nil)
        #expect(headers.link == ["<a>", "<b>"] && headers.total == "7")
        #expect(headers.cookies.map(\.name) == ["sid", "theme"])
        #expect(headers.cookies[0].maxAge == 60 && headers.cookies[0].isHTTPOnly && headers.cookies[0].path == "/")
        #expect(headers.cookies[1].isSecure && headers.cookies[1].value == "dark")
    }

    @Test func p11AMissingFieldIsTold() async {
        let error = await #expect(throws: CallError.self) { try await Self.read(Headers.self, .json("{}")) }
        #expect(error?.detail.contains("X-Total-Count") == true)
    }

    struct Paged<Page: Decodable & Sendable>: Decodable, Sendable {
        @ResponseHeader<DefaultHeaderStrategy> var totalElements: String
        @NestedResponse var nested: Page
    }

    /// P12: one answer read twice.
    @Test func p12NestedResponses() async throws {
        let answer = WholeAnswer.json("[]", fields: [CallField("Total-Elements", "9")])
        let paged = try await Self.read(Paged<Whole>.self, answer)
        #expect(paged.totalElements == "9" && paged.nested.body == [] && paged.nested.statusCode == 200)
        let bad = WholeAnswer.json(#"{"message":"m"}"#, status: 400, fields: [CallField("Total-Elements", "0")])
        #expect(try await Self.read(Paged<Whole>.self, bad).nested.errorBody?.message == "m")
    }

    struct Token: FormURLEncodedDecodable, Equatable {
        struct Inner: Decodable, Equatable { var id: Int }
        var accessToken: String
        var expiresIn: Int
        var scope: [String]
        var isNew: Bool
        var inner: Inner?
        var note: String?
    }

    /// P14: forms in answers; the trap is that nothing is percent-decoded.
    @Test func p14Forms() async throws {
        struct Answer: Decodable { @ResponseBody<Token> var body }
        let text = "accessToken=a%26b+c&expiresIn=60&scope=x&scope=y&isNew=true&inner%5Bid%5D=5"
        let token = try await Self.read(Answer.self, WholeAnswer(status: 200, body: Array(text.utf8))).body
        #expect(
            token
                == Token(
                    accessToken: "a&b c", expiresIn: 60, scope: ["x", "y"], isNew: true, inner: .init(id: 5), note: nil)
        )
        let bad = WholeAnswer(status: 200, body: Array("accessToken=a&expiresIn=soon&scope=x&isNew=true".utf8))
        let error = await #expect(throws: CallError.self) { try await Self.read(Answer.self, bad) }
        #expect(error?.detail.contains("$.expiresIn") == true)
    }

    /// Texts, by the charset that the answer says.
    @Test(
        arguments: [
            ("text/plain", [0xC3, 0xA9], "é"), ("text/plain; charset=ISO-8859-1", [0xE9], "é"),
            ("text/plain; charset=\"utf-16\"", [0xFF, 0xFE, 0xE9, 0], "é"), ("text/plain; charset=utf-8", [0xE9], nil),
            ("text/plain; charset=klingon", [0x41], nil),
        ] as [(String, [UInt8], String?)])
    func q2Texts(type: String, bytes: [UInt8], text: String?) async throws {
        struct Answer: Decodable { @ResponseBody<PlainDecodable> var body }
        let answer = WholeAnswer(status: 200, fields: [CallField("Content-Type", type)], body: bytes)
        let read = try? await Self.read(Answer.self, answer)
        #expect(read?.body == text)
    }

    /// A type without wrapped properties is the body.
    @Test func aResponseMayBeTheBodyItself() async throws {
        #expect(try await Self.read(Message.self, .json(#"{"message":"m"}"#)).message == "m")
        #expect(try await Self.read([Int].self, .json("[1]")) == [1])
        #expect(try await Self.read(String.self, .json("[1]")) == "[1]")
    }
}
