import Foundation
import SluiceClient
import Testing

/// Every form that Protoquest's README shows: names, labels and protocols are the same.
@Suite struct PublishedProtoquestTests {
    struct FruitClient: Protoclient {
        let baseURL = URL(string: "https://fruit.example")!
    }

    struct TestClient: Protoclient {
        let baseURL = URL(string: "http://127.0.0.1:1")!
        let gateway: GatewayClient
    }

    struct Greet: JSONJSONRequest, Encodable {
        var path: String { "greet/all" }

        var text: String

        struct Response: Decodable {
            var value: Int
        }
    }

    struct Find: GetRequest, StringDecodingRequest, Encodable {
        var path: String { "find/items" }

        var kind: String
        var largest = 42
        var isLimited = true

        var urlParams: [URLParameter] {
            ("kind", kind)
            if isLimited {
                ("largest", largest)
            }
        }
    }

    @Test func q1q4FormsAsTheyWerePublished() async throws {
        let transport = ScriptedTransport(json: #"{"value":1}"#)
        let client = TestClient(gateway: GatewayClient(transport: transport))
        #expect(try await client.send(Greet(text: "hi!")).value == 1)
        try await client.send(Find(kind: "te&st"))
        #expect(transport.lines == ["POST /greet/all", "GET /find/items?kind=te%26st&largest=42"])
        guard case .bytes(let body) = transport.requests[0].body else { throw CallError.encode("no body") }
        #expect(String(decoding: body, as: UTF8.self) == #"{"text":"hi!"}"#)
    }

    /// Q4: a base URL that no gateway has is told by the call, and clients of one URL share their connections.
    @Test func q4ClientsOfABaseURL() async {
        let error = await #expect(throws: CallError.self) { try await FruitClient().send(Find(kind: "a")) }
        guard case .url? = error else { return #expect(error == nil, "another error than that of the address") }
    }
}
