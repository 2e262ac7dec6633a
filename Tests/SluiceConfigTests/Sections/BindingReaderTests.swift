import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct BindingReaderTests {
    @Test(arguments: [
        ("GET /a/{id}: {to: fruit /a}", "2:3: placeholder '{id}' has no parameter → add params: {id: String}"),
        ("GET /a/{id}: {to: fruit /a, params: {ix: Int}}", "2:3: placeholder '{id}' has no parameter → ix"),
        ("GET /a: {to: 'fruit /{id}'}", "2:16: no parameter fills the placeholder '{id}' → add params: {id: String}"),
        ("GET /a/{id}: {to: 'fruit /{ib}', params: {id: Int}}", "2:21: no parameter fills the placeholder '{ib}' → id"),
        (
            "GET /a: {to: 'fruit /{id}', params: {id: Int?}}",
            "2:16: parameter 'id' may be absent, and the path needs it"
        ),
        ("GET /a: {to: 'fruit /{id}', params: {id: [Int]}}", "2:16: a value of type [Int] cannot stand in a path"),
        ("GET /a/**: {to: fruit /a}", "2:19: the local path ends in '**' and the upstream's does not"),
        ("GET /a: {to: fruit /**}", "2:16: the upstream's path ends in '**' and the local one does not"),
        ("GET /a: {to: fruit /a, answer: echo}", "2:26: there is nothing to echo"),
        (
            "GET /a: {to: fruit /a, bearer: {value: x}}",
            "2:34: a binding has no bearer of its own → give the token to the upstream 'fruit'"
        ),
        ("GET /a: {to: fruit /a, upgrade: h2c}", "2:35: the text 'h2c' is not known here"),
        (
            "GET /a: {to: fruit /a, upgrade: websocket, value: Int}",
            "2:26: a tunnel has no value that could be checked"
        ),
        (
            "POST /a: {to: fruit /a, upgrade: websocket}",
            "2:27: websocket begins with a GET, which this binding does not take"
        ),
        (
            "GET /a: {to: fruit POST /a, upgrade: websocket}",
            "2:31: websocket begins with a GET, and 'to:' makes it a POST"
        ),
        (
            "GET /a: {to: fruit /a, upgrade: grpc}",
            "2:26: grpc begins with a POST, which this binding does not take"
        ),
        (
            "POST /a: {to: fruit /a, upgrade: grpc, value: Int}",
            "2:27: the messages of gRPC are no JSON that could be checked"
        ),
        ("GET /a: {to: fruit /a, bearer: maybe}", "2:34: the text 'maybe' where a switch is wanted"),
    ])
    func refuses(_ binding: String, _ mistake: String) {
        #expect(fruit(binding).mistakes.contains(mistake))
    }

    @Test(arguments: [
        "GET /a: {to: 'fruit /{id}', params: {id: Int = 1}}",
        "GET /a: {to: 'fruit /{id}', params: {id: {type: Int, in: header}}}",
        "GET /a: {to: 'fruit /{there}', params: {here: {type: Int, as: there}}}",
        "GET /a/{x}-{y}: {to: 'fruit /{y}/{x}', params: {x: Int, y: a | b}}", "ANY /a/**: {to: fruit /b/**}",
        "ANY /**: {to: fruit /**}",
        "POST /a: {to: fruit /a, body: json, answer: echo}", "ANY /a/**: {to: fruit /**, upgrade: websocket}",
    ])
    func accepts(_ binding: String) {
        #expect(fruit(binding).mistakes == [])
        #expect(fruit(binding).warnings == [])
    }

    /// gRPC needs HTTP/2, which `auto` may find in the handshake; WebSocket goes over both (RFC 8441).
    @Test(arguments: ["auto", "h2", "h1"])
    func theProtocolHasToFit(_ version: String) {
        let wanted =
            version == "h1" ? ["2:27: gRPC needs HTTP/2, and 'protocol: h1' of 'fruit' is HTTP/1.1"] : []
        #expect(
            fruit("POST /a: {to: fruit /a, upgrade: grpc}", upstream: "protocol: \(version)").mistakes == wanted)
        #expect(fruit("GET /a: {to: fruit /a, upgrade: websocket}", upstream: "protocol: \(version)").mistakes == [])
    }

    @Test func withoutTLSTheHandshakeTellsNothing() {
        let bench = Bench(
            "bindings:\n  POST /a: {to: a /a, upgrade: grpc}\nupstreams:\n  a: {url: 'http://a'}\n")
        #expect(bench.mistakes == ["2:23: gRPC needs HTTP/2, and 'protocol: auto' of 'a' is HTTP/1.1"])
    }

    /// A slip in one key is not told again as what follows from it.
    @Test(arguments: [
        "GET /a/{id}: {to: 'friut /{id}', params: {id: Int}}", "GET /a/{id: {to: 'fruit /{id}'}",
        "GET /{id}: {to: 'fruit /{id}', params: {id: Itn}}",
        "GET /{id}: {to: 'fruit /{id'}", "GET /a: {to: fruit /a, value: Itn, default: 1, keep: {bearer: a}, parent: b}",
    ])
    func tellsEachSlipOnce(_ binding: String) {
        #expect(fruit(binding).load().mistakes.count == 1)
    }

    @Test func warnsOfWhatGoesNowhere() {
        #expect(
            fruit("GET /a/{id}: {to: fruit /a, params: {id: Int}}").warnings
                == ["2:3: parameter 'id' goes nowhere → use {id} in the path of 'to:'"])
    }

    @Test func warnsOfBearersThatAreNot() {
        #expect(
            fruit("GET /a: {to: fruit /a, bearer: false}").load().warnings.map(\.message) == [
                "upstream 'fruit' has no bearer"
            ])
    }
}
