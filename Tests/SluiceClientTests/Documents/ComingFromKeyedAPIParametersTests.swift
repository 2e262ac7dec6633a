import SluiceClient
import Testing

/// The examples of ComingFromKeyedAPIParameters.md.
@Suite struct ComingFromKeyedAPIParametersTests {
    struct Seller: KeyedAPIParameters {
        enum Key: String, ParamJSONKey { case name }
        let name: String

        func param(for key: Key) -> APIParamConvertible {
            switch key {
            case .name: name
            }
        }
    }

    struct Search: KeyedAPIParameters {
        enum Key: String, ParamJSONKey {
            case color
            case largest
            case isRipe = "ripe"
            case tags
            case seller
        }
        let color: String?
        let largest: Int
        let isRipe: Bool
        let tags: [String]
        let seller: Seller

        func param(for key: Key) -> APIParamConvertible {
            switch key {
            case .color: color
            case .largest: largest
            case .isRipe: isRipe
            case .tags: tags
            case .seller: seller
            }
        }
    }

    @Test func k1AsItWasWritten() async throws {
        let transport = ScriptedTransport(json: "[]")
        let client = GatewayClient(transport: transport)
        let search = Search(color: nil, largest: 5, isRipe: true, tags: ["a", "b"], seller: Seller(name: "Ann"))
        let found = try await client.send(ParameterRequest(.get, "fruits", search, as: [Fruit].self))
        let asked = try await client.send(ParameterRequest(.post, "searches", search, as: [Fruit].self))
        #expect(found.isEmpty && asked.isEmpty)
        #expect(
            transport.lines == [
                "GET /fruits?largest=5&ripe=true&seller%5Bname%5D=Ann&tags=a&tags=b", "POST /searches",
            ])
        let json = #"{"color":null,"largest":5,"ripe":true,"seller":{"name":"Ann"},"tags":["a","b"]}"#
        #expect(transport.latestBody == json)
    }
}
