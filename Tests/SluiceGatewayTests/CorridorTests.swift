import SluiceContract
import Testing

@testable import SluiceGateway

/// The whole corridor, once through.
@Suite struct CorridorTests {
    @Test func aTypedAnswerIsCutOut() throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /fruits", to: "fruit /fruits", value: "[Int]") {
                    $0.parent = FieldPath("values")
                }
            ]))
        let client = bench.client()
        client.request("GET", "/fruits")
        let origin = try bench.origin()
        #expect(origin.requests.first?.startLine == "GET /v1/fruits HTTP/1.1")
        origin.answer(json: #"{"count": 2, "values": [1, 2 ]}"#)
        #expect(client.answers.first?.status == 200)
        #expect(client.answers.first?.text == "[1, 2 ]")
        #expect(client.answers.first?.isComplete == true)
        bench.expectQuiet()
    }

    @Test func anUploadPassesThrough() throws {
        let bench = try Bench(Build.configuration([try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let client = bench.client()
        client.request("POST", "/raw/a", type: "text/plain", body: "hello")
        let origin = try bench.origin()
        #expect(origin.requests.first?.startLine == "POST /v1/a HTTP/1.1")
        #expect(origin.requests.first?.text == "hello")
        origin.answer(200, body: "world")
        #expect(client.answers.first?.text == "world")
        bench.expectQuiet()
    }
}
