import SluiceClient
import Testing

/// Properties, requests and resources over a real socket.
@Suite struct ClientOverSocketTests {
    static let plum = #"{"name":"plum","size":4,"color":"blue"}"#

    static func ok(_ json: String, fields: String = "") -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)"
            + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)"
    }

    /// Threads are few while all tests run: neither a call nor a connection that is kept ends by its time here.
    private static func client(of gateway: ScriptedGateway) throws -> GatewayClient {
        var limits = TransportLimits()
        limits.idle = .seconds(3600)
        return GatewayClient(
            transport: GatewayTransport(try gateway.address, limits: limits),
            settings: .init(timeout: .seconds(3600)))
    }

    @Test func allThreeFacesOnOneConnection() async throws {
        let gateway = try ScriptedGateway { request in
            request.hasPrefix("GET /fruits?limit=10") ? Self.ok(#"{"values":[\#(Self.plum)]}"#) : Self.ok(Self.plum)
        }
        let client = try Self.client(of: gateway)
        let stand = FruitStand().use(client)
        #expect(try await stand.$fruits.get().count == 1)
        #expect(try await stand.$today>?.name == "plum")
        let found = try await client.send(ParameterRequest(.get, "fruit", NoParameters(), as: Fruit.self))
        #expect(found.name == "plum")
        let resource = ResourceService(client: client).resource("/fruit").typed(Fruit.self)
        #expect(try await resource.value().size == 4)
        #expect(gateway.connections == 1)
    }

    private struct NoParameters: APIParameters {
        func toParamDictionary() -> [String: any APIParamConvertible] { [:] }
    }

    /// A problem comes as it is written by the daemon, and the connection goes on.
    @Test func problemsArriveWhole() async throws {
        let body = #"{"type":"urn:sluice:problem:rate-limited","status":429,"retryable":true}"#
        let gateway = try ScriptedGateway { _ in
            "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/problem+json\r\nRetry-After: 3\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
        let stand = FruitStand().use(try Self.client(of: gateway))
        for _ in 0..<2 {
            let error = await #expect(throws: CallError.self) { try await stand.$today.get() }
            guard case .problem(let problem) = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(problem.kind == .rateLimited && problem.retryAfter == .seconds(3) && problem.isRetryable)
        }
        #expect(gateway.connections == 1)
    }

    /// The last one who waits for a resource has gone: the gateway sees its client leave, and so can the upstream.
    @Test func cancellationReachesTheGateway() async throws {
        let asked = Gate()
        let left = Gate()
        let gateway = try ScriptedGateway { peer, _ in
            _ = peer.request()
            asked.open()
            peer.awaitEnd()
            left.open()
        }
        let service = ResourceService(client: try Self.client(of: gateway))
        let resource = service.resource("/slow").typed(Fruit.self)
        let waiting = Task { try await resource.value() }
        await asked.pass()
        waiting.cancel()
        await left.pass()
        let error = await #expect(throws: CallError.self) { try await waiting.value }
        guard case .cancelled = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func nobodyListens() async throws {
        let client = try GatewayClient("unix:/nowhere/at/all.sock")
        let error = await #expect(throws: CallError.self) { try await FruitStand().use(client).$today.get() }
        guard case .transport(.unreachable) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(error?.isRetryable == true)
    }

    private struct Upload: RawRequest {
        typealias Response = Fruit
        var body: CallBody
        @RequestHTTPMethod var method = .post
    }

    /// A streamed body goes as it comes (RFC 9112 §7.1).
    @Test func aStreamedBody() async throws {
        let gateway = try ScriptedGateway { peer, _ in
            let head = peer.request() ?? ""
            let content = peer.content(upTo: "0\r\n\r\n")
            let isWhole = head.contains("chunked") && content.contains("one") && content.contains("two")
            peer.write(isWhole ? Self.ok(Self.plum) : "HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n")
            peer.awaitEnd()
        }
        let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array("one".utf8))
            continuation.yield(Array("two".utf8))
            continuation.finish()
        }
        let fruit = try await Self.client(of: gateway).send(Upload(body: .stream(length: nil, pieces)))
        #expect(fruit.name == "plum")
    }
}
