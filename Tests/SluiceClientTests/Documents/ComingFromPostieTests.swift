import SluiceClient
import Testing

/// The examples of ComingFromPostie.md.
@Suite struct ComingFromPostieTests {
    struct SaveFruit: JSONRequest {
        struct Body: Encodable {
            var size: Int
        }
        struct Response: Decodable {
            @ResponseBody<Fruit> var fruit
            @ResponseErrorBody<GatewayProblem> var problem
            @ResponseHeader<DefaultHeaderStrategy> var contentType: String
            @ResponseStatusCode var statusCode
        }
        var body: Body
        @RequestPath var path = "/fruits/{name}"
        @RequestPathParameter var name: String
        @RequestHTTPMethod var method = .put
        @QueryItem(name: "dry_run") var isTrial: Bool?
        @RequestHeader var ifMatch: String?
    }

    struct Page<Nested: Decodable & Sendable>: Decodable, Sendable {
        @ResponseHeader<DefaultHeaderStrategyOptional> var totalElements: String?
        @NestedResponse var nested: Nested
    }
    struct ListFruits: Request {
        struct List: Decodable {
            @ResponseBody<[Fruit]> var fruits
        }
        typealias Response = Page<List>
        @RequestPath var path = "/fruits"
        @QueryItem var colors: [String]
    }

    @Test func p1AsItWasWritten() async throws {
        let transport = ScriptedTransport { request in
            let fig = #"{"name":"fig","size":3,"color":"green"}"#
            return .json(
                request.method == "GET" ? "[\(fig)]" : fig, fields: [CallField("Total-Elements", "9")])
        }
        let client = GatewayClient(transport: transport)
        var request = SaveFruit(body: SaveFruit.Body(size: 3), name: "fig")
        request.ifMatch = #""v1""#
        let response = try await client.send(request)
        print(response.statusCode, response.contentType, response.fruit?.size ?? 0, response.problem?.detail ?? "")
        let page = try await client.send(ListFruits(colors: ["red", "green"]))
        print(page.totalElements ?? "some", page.nested.fruits?.count ?? 0)
        #expect(response.fruit?.name == "fig" && page.totalElements == "9" && page.nested.fruits?.count == 1)
        #expect(transport.lines == ["PUT /fruits/fig", "GET /fruits?colors=red&colors=green"])
        #expect(transport.requests[0].fields["If-Match"] == #""v1""#)
    }
}
