import Foundation
import SluiceClient
import Testing

/// Every form that KeyedAPIParameters' README shows, and those of its last version: names, labels and cases are the
/// same.
@Suite struct PublishedParametersTests {
    struct Loose {
        let name: String
    }

    struct Seller {
        let sellerName: String
    }

    struct Fruit {
        let name: String
        let size: Int
        let weight: Float
        let price: Double
        let isRipe: Bool
        let color: String?
        let tags: [String]
        let seller: Seller
        let picked: Date
    }

    struct Latest {
        let name: String
    }

    @Test func k1k2DictionariesAsTheyWerePublished() async throws {
        let fruit = Fruit(
            name: "fig", size: 1, weight: 0.5, price: 2.25, isRipe: true, color: nil, tags: ["a", "b"],
            seller: Seller(sellerName: "Ann"), picked: Date(timeIntervalSince1970: 2))
        let transport = ScriptedTransport(json: "{}")
        let client = GatewayClient(transport: transport)
        try await client.send(ParameterRequest(.get, "f", fruit, as: EmptyResponse.self))
        try await client.send(ParameterRequest(.post, "f", fruit, as: EmptyResponse.self))
        #expect(
            transport.lines == [
                "GET /f?isRipe=true&name=fig&picked=2000&price=2.25&seller%5BsellerName%5D=Ann&size=1&tags=a&tags=b"
                    + "&weight=0.5", "POST /f",
            ])
        let json = #"{"color":null,"isRipe":true,"name":"fig","picked":2000,"price":2.25,"#
        #expect(
            transport.latestBody == json
                + #""seller":{"sellerName":"Ann"},"size":1,"stock":null,"tags":["a","b"],"weight":0.5}"#)
        let name = Seller(sellerName: "Ann").param(for: .sellerName).value(forHTTPMethod: .get)
        #expect(name == .text("Ann"))
    }

    @Test func k1ParametersWithoutAnEnum() {
        let wanted = JSONValue.object(["name": .text("fig")])
        #expect(Loose(name: "fig").value(forHTTPMethod: .post) == wanted)
        #expect(Latest(name: "fig").value(forHTTPMethod: .post) == wanted)
    }
}

extension PublishedParametersTests.Loose: APIParameters {
    func toParamDictionary() -> [String: APIParamValue] {
        return ["name": .convertible(name)]
    }
}

extension PublishedParametersTests.Latest: APIParameters {
    func toParamDictionary() -> [String: APIParamConvertible] {
        return ["name": name]
    }
}

extension PublishedParametersTests.Seller: KeyedAPIParameters {
    enum Key: String, ParamJSONKey {
        case sellerName
    }

    func toKeyedDictionary() -> [Key: APIParamValue] {
        return [.sellerName: .convertible(sellerName)]
    }
}

extension PublishedParametersTests.Fruit: KeyedAPIParameters {
    enum Key: String, ParamJSONKey {
        case name
        case size
        case weight
        case price
        case isRipe
        case color
        case tags
        case seller
        case stock
        case picked
    }

    func toKeyedDictionary() -> [Key: APIParamValue] {
        return [
            .name: .convertible(name),
            .size: .convertible(size),
            .weight: .convertible(weight),
            .price: .convertible(price),
            .isRipe: .convertible(isRipe),
            .color: .optionalConvertible(color),
            .tags: .arrayConvertible(tags),
            .seller: .convertible(seller),
            .stock: .null,
            .picked: .timestampInMillis(picked),
        ]
    }
}
