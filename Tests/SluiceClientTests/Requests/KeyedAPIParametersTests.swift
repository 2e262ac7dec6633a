import Foundation
import SluiceClient
import Testing

/// Parameters that convert by method: rows K1 to K3.
@Suite struct KeyedAPIParametersTests {
    struct Inner: KeyedAPIParameters {
        enum Key: String, ParamJSONKey { case deep }
        var deep = true
        func param(for key: Key) -> any APIParamConvertible {
            switch key {
            case .deep: deep
            }
        }
    }

    enum Color: String, APIParamConvertible { case red }

    struct Object: KeyedAPIParameters {
        enum Key: String, ParamJSONKey {
            case text, count, share, ratio, on, absent, list, inner, none, at, color
        }
        func param(for key: Key) -> any APIParamConvertible {
            switch key {
            case .text: "a b"
            case .count: 3
            case .share: 0.5
            case .ratio: Float(0.1)
            case .on: true
            case .absent: String?.none
            case .list: [1, 2]
            case .inner: Inner()
            case .none: JSONValue.null
            case .at: Date(timeIntervalSince1970: 1.5)
            case .color: Color.red
            }
        }
    }

    /// K1, K2: text in the query, typed JSON in a body; nil and null are left out of the one and null in the other.
    @Test(arguments: [
        (HTTPMethod.get, true), (.head, true), (.post, false), (.put, false), (.patch, false), (.delete, false),
    ])
    func k1k2ValuesConvertByMethod(method: HTTPMethod, isQuery: Bool) async throws {
        let transport = ScriptedTransport(json: "{}")
        let client = GatewayClient(transport: transport)
        try await client.send(ParameterRequest(method, "fruits", Object(), as: EmptyResponse.self))
        if isQuery {
            #expect(
                transport.lines == [
                    "\(method.rawValue) /fruits?at=1500&color=red&count=3&inner%5Bdeep%5D=true&list=1&list=2&on=true"
                        + "&ratio=0.1&share=0.5&text=a%20b"
                ])
            #expect(transport.latestBody == nil)
        } else {
            #expect(transport.lines == ["\(method.rawValue) /fruits"])
            let json = #"{"absent":null,"at":1500,"color":"red","count":3,"inner":{"deep":true},"list":[1,2],"#
            #expect(
                transport.latestBody == json
                    + #""none":null,"on":true,"ratio":0.1,"share":0.5,"text":"a b"}"#)
        }
    }

    /// K3: the keys are a closed set.
    @Test func k3EveryKeyIsThere() {
        #expect(Set(Object().toParamDictionary().keys) == Set(Object.Key.allCases.map(\.rawValue)))
    }
}
