import SluiceContract
import Testing

@testable import SluiceGateway

/// What is taken out of an answer may depend on its status (`value: {200: …, 303: …}`).
@Suite struct AnswerPlanTests {
    static func answer(_ status: Int, _ body: String) throws -> Message {
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.value = .scalar(.int)
            $0.valueByStatus = [203: .scalar(.string), 303: .scalar(.bool), 404: .scalar(.double)]
        }
        let bench = try Bench(Build.configuration([binding]))
        defer { bench.expectQuiet() }
        return try bench.get("/a", answer: "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    @Test(arguments: [(200, "7"), (201, "8"), (203, #""seven""#), (303, "true"), (404, "0.5")])
    func eachStatusHasItsType(status: Int, body: String) throws {
        let answer = try Self.answer(status, body)
        #expect(answer.status == status)
        #expect(answer.text == body)
        #expect(answer["Content-Type"] == "application/json")
    }

    @Test(arguments: [(200, #""seven""#), (203, "7"), (303, "7"), (404, "true")])
    func anotherTypeIsAFault(status: Int, body: String) throws {
        let answer = try Self.answer(status, body)
        #expect(answer.status == 502)
        #expect(answer.text.contains("type-mismatch"))
    }

    @Test func anotherErrorIsMapped() throws {
        #expect(try Self.answer(500, "7").text.contains("upstream-error"))
    }
}
