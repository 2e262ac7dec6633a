import SluiceClient
import Testing

/// Requests whose parts are plain properties: rows Q1 to Q4.
@Suite struct PlainlyWrittenRequestTests {
    struct FindFruits: GetJSONRequest {
        typealias Response = [Int]
        var start = 0
        var end: Int?
        var tags: [String] = []
        var path: String { "/fruits" }
        var urlParams: [URLParameter] {
            ("start", start)
            ("end", end)
            if let end, end > 5 {
                ("far", true)
            } else {
                ("near", true)
            }
            for tag in tags { ("tag", tag) }
            ("ids", [1, 2])
        }
    }

    /// Q3: conditions and loops; the traps are that nil becomes `?name` and a list `[1, 2]`.
    @Test func q3QueryBuilder() async throws {
        let transport = ScriptedTransport(json: "[]")
        let client = GatewayClient(transport: transport)
        try await client.send(FindFruits())
        try await client.send(FindFruits(start: 1, end: 9, tags: ["a", "b&c"]))
        #expect(
            transport.lines == [
                "GET /fruits?start=0&near=true&ids=1&ids=2",
                "GET /fruits?start=1&end=9&far=true&tag=a&tag=b%26c&ids=1&ids=2",
            ])
    }

    struct Create: JSONJSONRequest {
        typealias Response = Fruit
        var body: Fruit
        let path = "/fruits"
    }
    struct Note: StringStringRequest {
        var body: String
        let path = "/notes/\("a/b".encodedSegment)"
    }
    struct Upload: DataStatusRequest {
        var body: CallBody
        let path = "/blobs"
        let httpMethod: HTTPMethod = .put
        let headers = [CallField("X-Kind", "b")]
    }
    struct Fetch: GetDataRequest {
        let path = "/blob"
    }
    struct Send: MultipartStatusRequest {
        var body: MultipartForm
        let path = "/files"
    }

    /// Q1, Q2: kinds of content and of answers.
    @Test func q1q2Kinds() async throws {
        let plum = #"{"color":"blue","name":"plum","size":4}"#
        let transport = ScriptedTransport(json: plum)
        let client = GatewayClient(transport: transport)
        #expect(try await client.send(Create(body: Fruit(name: "plum", size: 4, color: "blue"))).name == "plum")
        #expect(transport.latestBody == plum)
        #expect(try await client.send(Note(body: "n")) == plum)
        #expect(try await client.send(Upload(body: .bytes([1, 2]))) == 200)
        #expect(transport.requests.last?.fields["X-Kind"] == "b")
        #expect(try await client.send(Fetch()) == Array(plum.utf8))
        #expect(transport.lines == ["POST /fruits", "POST /notes/a%2Fb", "PUT /blobs", "GET /blob"])
    }

    /// Q2, the trap: the status is looked at.
    @Test func q2StatusComesFirst() async {
        let client = GatewayClient(transport: ScriptedTransport(status: 500, json: "[]"))
        let error = await #expect(throws: CallError.self) { try await client.send(FindFruits()) }
        #expect(error?.status == 500)
    }

    /// Q1, the trap: a multipart body without its closing boundary (RFC 2046 §5.1.1).
    @Test func q1MultipartIsClosed() async throws {
        let form = MultipartForm([
            .init(name: "note\"\r\n", text: "hello"),
            .init(name: "file", filename: "a.png", mediaType: "image/png", bytes: [1, 2, 3]),
        ])
        let transport = ScriptedTransport(json: "{}")
        try await GatewayClient(transport: transport).send(Send(body: form))
        let boundary = form.boundary
        #expect(transport.requests[0].fields["Content-Type"] == "multipart/form-data; boundary=\(boundary)")
        #expect(
            transport.latestBody == """
                --\(boundary)\r
                Content-Disposition: form-data; name="note%22%0D%0A"\r
                \r
                hello\r
                --\(boundary)\r
                Content-Disposition: form-data; name="file"; filename="a.png"\r
                Content-Type: image/png\r
                \r
                \u{1}\u{2}\u{3}\r
                --\(boundary)--\r

                """)
    }

    /// Q4: one client's calls may go elsewhere by another client value, with other settings.
    @Test func q4SettingsOfOneCall() async throws {
        let transport = ScriptedTransport(json: "[]")
        var client = GatewayClient(transport: transport, settings: .init(pathPrefix: "/v1"))
        try await client.send(FindFruits())
        client.settings.pathPrefix = "/v2"
        try await client.with(timeout: .seconds(1)).send(FindFruits())
        #expect(transport.lines.map { $0.prefix(7) } == ["GET /v1", "GET /v2"])
    }
}
