import Testing

@testable import SluiceClient

/// Answers that have no content where a value is wanted (RFC 9110 §15.3.5): the upstream has succeeded all the same.
@Suite struct AnswerReadingEmptyTests {
    private static let nothing = GatewayClient(transport: ScriptedTransport { _ in WholeAnswer(status: 204) })

    @Test func p8NilWhereThatIsAValue() async throws {
        let resource = ResourceService(client: Self.nothing).resource("/x")
        #expect(try await resource.request(.put, [1], as: Fruit?.self) == nil)
        _ = try await resource.request(.put, [1], as: EmptyResponse.self)
        #expect(try await resource.typed(Fruit?.self).value() == nil)
        struct Ask: Request { typealias Response = Fruit? }
        #expect(try await Self.nothing.send(Ask()) == nil)
    }

    @Test func p8ElseItIsTold() async throws {
        let resource = ResourceService(client: Self.nothing).resource("/x")
        let error = await #expect(throws: CallError.self) {
            try await resource.request(.put, [1], as: Fruit.self)
        }
        guard case .decode(let fault) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(fault.reason == .absent && fault.detail == "the answer has no content")
    }

    protocol Mixed: Decodable, Sendable {}

    struct PlainLast: Mixed {
        @ResponseBody<[String: JSONValue]> var body
        var note: String?
    }

    struct PlainFirst: Mixed {
        var note: String?
        @ResponseBody<[String: JSONValue]> var body
    }

    struct Required: Mixed {
        @ResponseStatusCode var status
        var note: String
    }

    /// Beside wrapped properties a plain one is no member of the body: nothing says what it is.
    @Test(arguments: [PlainLast.self, PlainFirst.self, Required.self] as [any Mixed.Type])
    func aPropertyWithoutWrapperIsTold(_ type: any Mixed.Type) {
        let answer = WholeAnswer.json(#"{"body":{},"note":"x","status":1}"#)
        let error = #expect(throws: CallError.self) {
            try AnswerReading(answer: answer, coding: JSONCoding()).response(type)
        }
        guard case .decode(let fault) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(fault.path == "$.note" && fault.detail.contains("no wrapper"), "\(fault.detail)")
    }

    /// Types that read themselves, and make something of what is missing.
    private struct Embedded: Decodable {
        let payload: [String: Int]

        enum Key: CodingKey { case payload }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            let text = try members.decodeIfPresent(String.self, forKey: .payload) ?? ""
            payload = try JSONCoding().decode([String: Int].self, from: Array(text.utf8))
        }
    }

    private enum Either: Decodable {
        case plain, wrapped(Int)

        struct Plain: Decodable { var note: String? }
        struct Wrapped: Decodable { @ResponseStatusCode var status }

        init(from decoder: any Decoder) throws {
            self = try (try? Plain(from: decoder)).map { _ in .plain } ?? .wrapped(Wrapped(from: decoder).status)
        }
    }

    @Test func typesThatReadThemselves() throws {
        let answer = WholeAnswer.json(#"{"payload":"{\"z\":4}"}"#)
        let reading = AnswerReading(answer: answer, coding: JSONCoding())
        #expect(try reading.response(Embedded.self).payload == ["z": 4])
        guard case .wrapped(200) = try reading.response(Either.self) else {
            Issue.record("what can be read from wrapped properties is")
            return
        }
    }

    /// Of a body whose members may all be missing.
    @Test func aBodyMayBeAnything() throws {
        struct Open: Decodable {
            var note: String?
            var size: Int?
        }
        let answer = WholeAnswer.json(#"{"size":3}"#)
        #expect(try AnswerReading(answer: answer, coding: JSONCoding()).response(Open.self).size == 3)
    }

    /// A property keeps its value.
    @Test func r8NothingTakesTheValuesPlace() async throws {
        let stand = FruitStand().use(Self.nothing)
        #expect(try await stand.$today.get().name == "strawberry")
        let fig = Fruit(name: "fig", size: 1, color: "green")
        #expect(try await stand.$today.put(fig).name == "fig")
        #expect(try await stand.$today.patch(["size": 2]).size == 1)
        #expect(try await stand.$fruits.get().isEmpty)
    }
}
