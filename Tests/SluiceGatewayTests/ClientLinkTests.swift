import SluiceContract
import Testing

@testable import SluiceGateway

/// Clients that leave, and clients whose connection is on its way out.
@Suite struct ClientLinkTests {
    private func bench(_ edit: (inout Configuration) -> Void = { _ in }) throws -> Bench {
        try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")], edit))
    }

    /// Whoever waits for a connection to the upstream, and leaves, waits no longer.
    @Test func aClientThatLeavesWhileItsRequestWaitsIsNoticed() throws {
        let bench = try bench { $0.upstreams[0].connectionsMax = 1 }
        let first = bench.client()
        first.request("GET", "/raw/a")
        let second = bench.client()
        second.request("GET", "/raw/b")
        #expect(bench.gateway.counters.exchangesOpen == 2)
        second.endInput()
        #expect(bench.gateway.counters.exchangesOpen == 1)
        try bench.origin().answer(200, body: "a")
        #expect(first.answers.first?.text == "a")
        #expect(try bench.origin().requests.count == 1)
        bench.expectQuiet()
    }

    /// A pipelined upload begins when the answer before it is complete: no input of its own connection says so.
    @Test func aPipelinedUploadIsReadOn() throws {
        let bench = try bench()
        let client = bench.client()
        client.request("GET", "/raw/a")
        client.expect("POST")
        client.send("POST /raw/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
        for _ in 0..<10 { client.send([UInt8](repeating: UInt8(ascii: "x"), count: 10_000)) }
        let origin = try bench.origin()
        #expect(!client.link.wantsRead)
        origin.answer(200, body: "a")
        #expect(origin.requests.last?.body.count == 100_000)
        origin.answer(200, body: "b")
        #expect(client.answers.map(\.text) == ["a", "b"])
        bench.expectQuiet()
    }

    /// Whoever has pipelined more has to know that it will not be answered (RFC 9112 §9.6).
    @Test(arguments: [(100_000, "close"), (1000, nil)])
    func aConnectionWhoseRequestIsTooLongToDiscardIsAnnouncedToClose(_ length: Int, _ option: String?) throws {
        let bench = try bench()
        let client = bench.client()
        client.expect("POST")
        client.send("POST /raw/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n")
        try bench.origin().answer(413, body: "no")
        #expect(client.answers.first?.status == 413)
        #expect(client.answers.first?["Connection"] == option)
    }

    /// What waits to be used again lets go of the configuration that it served last.
    @Test func anOldConfigurationGoes() throws {
        let bench = try bench()
        for _ in 0..<3 { bench.client().request("GET", "/raw/a") }
        for origin in bench.origins { origin.answer(200, body: "a") }
        let configuration = bench.gateway.generation.table.configuration
        weak let old = bench.gateway.generation
        bench.replace(try RouteTable(configuration))
        #expect(old == nil)
    }
}
