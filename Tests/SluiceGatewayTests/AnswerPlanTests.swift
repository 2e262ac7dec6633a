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

    /// What `parent:`, `keep:` and `answer: echo` speak of is not there in an error.
    @Test func aDeclaredErrorIsTheWholeAnswer() throws {
        let binding = try Build.binding("POST /a", to: "fruit /a") {
            $0.parent = FieldPath("data.*.id")
            $0.value = .array(.scalar(.int))
            $0.body = .json(.scalar(.json))
            $0.answer = .echo
            $0.keep = Binding.Keep(bearer: FieldPath(components: [.key("token")]))
            $0.valueByStatus = [422: .dictionary(.scalar(.string))]
        }
        let bench = try Bench(Build.configuration([binding]))
        defer { bench.expectQuiet() }
        let body = #"{"reason":"no figs","token":"none"}"#
        let answer = try bench.exchange(
            "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n7",
            answer: "HTTP/1.1 422 X\r\nRetry-After: 3\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.status == 422)
        #expect(answer.text == body)
        #expect(answer["Retry-After"] == "3")
    }

    /// The name of a type says no more than the type.
    @Test func aNameForAnOptionalIsOptional() throws {
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.parent = FieldPath("a")
            $0.value = .named("Maybe")
        }
        let types = [
            TypeDefinition(name: "Maybe", type: .named("Perhaps")),
            TypeDefinition(name: "Perhaps", type: .optional(.scalar(.int))),
        ]
        let bench = try Bench(Build.configuration([binding], types: types))
        defer { bench.expectQuiet() }
        let answer = try bench.get("/a", answer: FetchAnswerTests.json("{}"))
        #expect(answer.status == 200 && answer.text == "null", "\(answer.text)")
    }

    @Test func anotherErrorIsMapped() throws {
        #expect(try Self.answer(500, "7").text.contains("upstream-error"))
    }
}
