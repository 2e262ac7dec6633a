import Foundation
import SluiceClient
import Testing

/// Every form that Postie's README shows, but for those of URLSession and XML: names, labels and literals are the same.
@Suite struct PublishedPostieTests {
    struct SetSize: JSONRequest {
        struct RequestBody: Encodable {
            var size: Int
        }

        struct Response: FormURLEncodedDecodable {
            struct Body: Decodable {
                var size: Int
            }

            struct ErrorBody: Decodable {
                var message: String
            }

            @ResponseBody<Body> var body
            @ResponseErrorBody<ErrorBody> var errorBody
            @ResponseHeader<DefaultStrategy> var contentType: String
            @ResponseStatusCode var statusCode
        }

        var body: RequestBody
        @RequestPath var path = "/fruits/{fruit_name}"
        @RequestPathParameter(name: "fruitName") var fruitName: String
        @RequestHTTPMethod var method = .post
        @RequestHeader var authorization: String?
    }

    @Test func p1p13FormsAsTheyWerePublished() async throws {
        var request = SetSize(
            body: SetSize.RequestBody(size: 42),
            fruitName: "fig")
        request.authorization = "Bearer mine"
        let transport = ScriptedTransport { _ in
            WholeAnswer(
                status: 200, fields: [CallField("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("size=42".utf8))
        }
        let response = try await HTTPAPIClient(transport: transport).send(request)
        #expect(response.statusCode == 200 && response.body?.size == 42 && response.errorBody == nil)
        #expect(response.contentType == "application/x-www-form-urlencoded")
        #expect(transport.lines == ["POST /fruits/fig"] && transport.latestBody == #"{"size":42}"#)
        #expect(transport.requests[0].fields["Authorization"] == "Bearer mine")
    }

    /// P13: clients of a base URL; one that no gateway has is told by the call.
    @Test func p13ClientsOfAURL() async throws {
        let url = try #require(URL(string: "https://fruit.example"))
        for client in [HTTPAPIClient(url: url), HTTPAPIClient(baseURL: url)] {
            let error = await #expect(throws: CallError.self) { try await client.send(Nothing()) }
            guard case .url(let detail)? = error else { throw CallError.encode("another error") }
            #expect(detail.contains("http://127.0.0.1:8080"))
        }
    }

    struct Nothing: Request {
        typealias Response = EmptyResponse
    }

    struct Empty: JSONRequest {
        struct Body: Encodable {}
        typealias Response = EmptyResponse

        var body: Body
    }

    struct EmptyForm: FormURLEncodedRequest {
        struct Body: Encodable {}
        typealias Response = EmptyResponse

        var body: Body
    }

    struct Note: PlainRequest {
        typealias Response = EmptyResponse

        var body: String
        var encoding: String.Encoding = .utf16  // default: .utf8
    }

    @Test func p1EncodingsOfFoundation() async throws {
        let transport = ScriptedTransport(json: "{}")
        let client = GatewayClient(transport: transport)
        try await client.send(Empty(body: .init()))
        try await client.send(EmptyForm(body: .init()))
        try await client.send(Note(body: "a"))
        #expect(transport.requests[2].fields["Content-Type"] == "text/plain; charset=utf-16")
        guard case .bytes(let bytes) = transport.requests[2].body else { throw CallError.encode("no body") }
        #expect(bytes == [0xFE, 0xFF, 0, 0x61])
        await #expect(throws: CallError.self) { try await client.send(Note(body: "a", encoding: .symbol)) }
    }

    /// P2 to P5: the wrappers of a type that is no more than `Encodable`, and the initialisers that it gets.
    @Test func p2p3p4p5WrappersAsTheyWerePublished() throws {
        struct Method: Encodable {
            typealias Response = EmptyResponse
            @RequestHTTPMethod var method
        }
        var method = Method()
        method.method = .post
        #expect(try JSONEncoder().encode(method) == Data(#"{"method":"POST"}"#.utf8))

        struct Path: Encodable {
            @RequestPath var path
        }
        #expect(Path(path: "/some-fruit").path == "/some-fruit")

        struct Places: Encodable {
            @RequestPath var path = "/app/{id}/fruits/{fid}"
            @RequestPathParameter var id: Int
            @RequestPathParameter(name: "fid") var fruitID: String
        }
        var places = Places(id: 123)
        places.fruitID = "ABC"
        #expect(try JSONEncoder().encode(places).count > 20)

        struct Query: Encodable {
            @QueryItem
            var text: String

            @QueryItem(name: "other_text")
            var anotherQuery: String

            @QueryItem
            var optionalText: String?
        }
        var query = Query(text: "foo")
        query.anotherQuery = "bar"
        #expect(query.text == "foo" && query.anotherQuery == "bar" && query.optionalText == nil)

        struct Fields: Encodable {
            @RequestHeader
            var text: String

            @RequestHeader(name: "other_text")
            var another: String

            @RequestHeader
            var optionalText: String?
        }
        var fields = Fields(text: "foo")
        fields.another = "bar"
        #expect(fields.text == "foo" && fields.another == "bar" && fields.optionalText == nil)
    }

    struct Answers {
        struct Plain: Request {
            struct Response: Decodable {
                @ResponseBody<PlainDecodable> var body
            }
        }
        struct JSON: Request {
            struct Response: Decodable {
                struct Body: JSONDecodable {
                    var value: String
                }
                struct ErrorBody: JSONDecodable {
                    var message: String
                }

                @ResponseBody<Body> var body
                @ResponseErrorBody<ErrorBody> var errorBody
                @ResponseHeader<DefaultHeaderStrategyOptional>
                var optionalValue: String?
            }
        }
    }

    @Test func p8p9AnswersAsTheyWerePublished() async throws {
        let client = GatewayClient(transport: ScriptedTransport(json: #"{"value":"a"}"#))
        #expect(try await client.send(Answers.Plain()).body == #"{"value":"a"}"#)
        let json = try await client.send(Answers.JSON())
        #expect(json.body?.value == "a" && json.errorBody == nil && json.optionalValue == nil)
    }
}
