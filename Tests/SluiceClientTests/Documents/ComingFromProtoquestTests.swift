import SluiceClient
import Testing

/// The examples of ComingFromProtoquest.md.
@Suite struct ComingFromProtoquestTests {
    struct RenameFruit: JSONJSONRequest, Encodable {
        var path: String { "fruits/rename" }

        var from: String
        var to: String

        struct Response: Decodable {
            var count: Int
        }
    }

    struct DescribeFruits: GetRequest, StringDecodingRequest, Encodable {
        var path: String { "fruits/description" }

        var color: String
        var largest = 42
        var isLimited = true

        var urlParams: [URLParameter] {
            ("color", color)
            if isLimited {
                ("largest", largest)
            }
        }
    }

    @Test func q1RequestsAreTheirOwnBody() async throws {
        let transport = ScriptedTransport(json: #"{"count":1}"#)
        let client = GatewayClient(transport: transport)
        let renamed = try await client.send(RenameFruit(from: "fig", to: "plum"))
        let text = try await client.send(DescribeFruits(color: "red & green"))
        #expect(renamed.count == 1 && text == #"{"count":1}"#)
        #expect(
            transport.lines == ["POST /fruits/rename", "GET /fruits/description?color=red%20%26%20green&largest=42"])
        guard case .bytes(let body) = transport.requests[0].body else { throw CallError.encode("no body") }
        #expect(String(decoding: body, as: UTF8.self) == #"{"from":"fig","to":"plum"}"#)
        #expect(transport.requests[0].fields["Content-Type"] == "application/json")
    }
}
