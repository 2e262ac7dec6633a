import SluiceContract
import Testing

@testable import SluiceGateway

// Unions of objects, in answers and in requests.
extension FetchAnswerTests {
    private static let types = [
        TypeDefinition(
            name: "Card",
            type: .object(
                ObjectType(fields: [
                    .init(name: "type", type: .literals(["card"])), .init(name: "number", type: .scalar(.string)),
                ]))),
        TypeDefinition(
            name: "Bank",
            type: .object(
                ObjectType(fields: [
                    .init(name: "type", type: .literals(["bank"])), .init(name: "iban", type: .scalar(.string)),
                ]))),
    ]

    @Test(arguments: [
        (#"[{"type":"card","number":"1"},{"iban":"DE","type":"bank"}]"#, 200, ""),
        (#"[{"type":"cash"}]"#, 502, "$[0].type"), (#"[{"type":"bank","number":"1"}]"#, 502, "iban"),
    ])
    func unionsInAnswers(document: String, status: Int, text: String) throws {
        for pieces in [1, 7, .max] {
            let bench = try Bench(
                Build.configuration(
                    [try Build.binding("GET /a", to: "fruit /a") { $0.value = try Build.type("[Card | Bank]") }],
                    types: Self.types))
            let client = bench.client()
            client.request("GET", "/a")
            try bench.origin().send(Self.json(document), inPiecesOf: pieces)
            #expect(client.answers.first?.status == status)
            #expect(client.answers.first?.text.contains(status == 200 ? document : text) == true)
        }
    }

    @Test(arguments: [(#"{"number":"1","type":"card"}"#, true), (#"{"iban":"1","type":"card"}"#, false)])
    func unionsInRequests(body: String, isRight: Bool) throws {
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("POST /a", to: "fruit /a") { $0.body = .json(try Build.type("Card | Bank")) }],
                types: Self.types))
        let client = bench.client()
        client.send(
            "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(bench.origins.isEmpty == !isRight)
        if !isRight { #expect(client.answers.first?.status == 400) }
    }
}
