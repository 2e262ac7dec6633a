import OpenCombine
import SluiceClient
import SluiceCombine
import Testing

/// Typed requests and requests to resources, as publishers.
@Suite struct CallPublisherTests {
    struct FindFruit: GetJSONRequest {
        typealias Response = Fruit
        let path = "/fruit"
    }

    /// P13: a client's calls as publishers, each sent for each subscriber.
    @Test func p13CallsArePublished() async {
        let transport = ScriptedTransport(json: RestOperationTests.plum)
        let client = GatewayClient(transport: transport)
        let call: CallPublisher<Fruit> = client.send(FindFruit())
        #expect(transport.lines == [])
        #expect(await Recorder(call).all().map(\.name) == ["plum"])
        #expect(await Recorder(call).all().map(\.name) == ["plum"])
        #expect(transport.lines == ["GET /fruit", "GET /fruit"])
    }

    @Test func p13FailuresArePublished() async {
        let client = GatewayClient(transport: ScriptedTransport(status: 503, json: "{}"))
        let call: CallPublisher<Fruit> = client.send(FindFruit())
        let heard = Recorder(call.retry(2))
        #expect(await heard.all() == [] && heard.failure?.status == 503)
    }

    /// S5: requests to a resource leave what GET has brought.
    @Test func s5RequestsArePublished() async throws {
        let transport = ScriptedTransport(json: RestOperationTests.plum)
        let service = ResourceService(client: GatewayClient(transport: transport))
        let fruits = service.resource("/fruits")
        let fig = Fruit(name: "fig", size: 1, color: "green")
        let made = Recorder<Fruit, CallError>(fruits.requestPublisher(.post, fig, as: Fruit.self))
        #expect(await made.all().map(\.name) == ["plum"])
        #expect(transport.latestBody == #"{"color":"green","name":"fig","size":1}"#)
        let gone = Recorder<WholeAnswer, CallError>(fruits.child("fig").requestPublisher(.delete))
        #expect(await gone.all().map(\.status) == [200])
        #expect(transport.lines == ["POST /fruits", "DELETE /fruits/fig"])
    }
}
