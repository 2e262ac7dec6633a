import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers that pass through are bound by silence; event streams may be silent for longer.
@Suite struct EventStreamTests {
    @Test(
        arguments: [
            ("text/event-stream", 3600), ("text/event-stream;charset=utf-8", 3600), ("Application/X-NDJSON", 3600),
            ("multipart/x-mixed-replace; boundary=a", 3600), ("text/plain", 30), ("text/event-stream-not", 30),
        ], [nil, 7] as [Int?])
    func silenceIsBounded(stream: (type: String, usual: Int), configured: Int?) throws {
        let limit = configured ?? stream.usual
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("ANY /raw/**", to: "fruit /**")],
                upstreams: [Build.upstream { $0.timeout.idle = configured.map { .seconds($0) } }]))
        let client = bench.client()
        client.request("GET", "/raw/events")
        let origin = try bench.origin()
        origin.send("HTTP/1.1 200 OK\r\nContent-Type: \(stream.type)\r\nTransfer-Encoding: chunked\r\n\r\n")
        // Heartbeats keep it, each at once with the client.
        for count in 1...3 {
            bench.advance(by: .seconds(limit - 1))
            origin.send("2\r\n:\n\r\n")
            #expect(client.answers.first?.bodyCount == 2 * count)
        }
        bench.advance(by: .seconds(limit - 1))
        #expect(!client.isClosed)
        bench.advance(by: .seconds(2))
        #expect(client.isClosed)
        #expect(client.answers.first?.isComplete == false)
        bench.expectQuiet()
    }
}
