import SluiceContract
import Testing

@testable import SluiceGateway

/// Requests that the gateway makes for itself.
@Suite struct OwnRequestsTests {
    /// A server that answers twice has answered nobody else.
    @Test func connectionsBelongToTheirOwners() throws {
        let bench = try Bench(Build.configuration([try Build.binding("GET /a", to: "fruit /a")]))
        var bodies: [String] = []
        for owner: UInt64 in [1, 1, 2] {
            let request = OwnRequest(
                Build.upstream("accounts"), method: "POST", target: "/token", body: Array("a=b".utf8), owner: owner)
            bench.gateway.send(request) { answer in
                if case .body(let body) = answer { bodies.append(String(decoding: body, as: UTF8.self)) }
            }
            bench.turn()
            #expect(bench.origins.count == Int(owner))
            try bench.origin().answer(json: "{\"owner\":\(owner)}")
        }
        #expect(bodies == [#"{"owner":1}"#, #"{"owner":1}"#, #"{"owner":2}"#])
    }
}
