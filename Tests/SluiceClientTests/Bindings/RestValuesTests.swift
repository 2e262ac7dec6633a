import Testing

@testable import SluiceClient

/// Values of which little must be there, and those who write them at the same time.
@Suite struct RestValuesTests {
    struct Lenient: Codable {
        var name: String?
    }

    struct Shelf: ParentCodable {
        var fruit: Lenient
        static func wrap(child: Lenient) -> Shelf { Shelf(fruit: child) }
    }

    struct Prices: ParentCodable {
        var prices: [String: Int]
        static func wrap(child: [String: Int]) -> Prices { Prices(prices: child) }
    }

    struct Stand: Bindings {
        @Rest(path: "shelf", parent: Shelf.self, prop: \.fruit) var fruit = Lenient(name: "fig")
        @Rest(path: "prices", parent: Prices.self, prop: \.prices) var prices = ["fig": 3]
    }

    private static func stand(_ json: String, _ parents: ParentPlacement = .automatic) -> Stand {
        Stand().use(GatewayClient(transport: ScriptedTransport(json: json), settings: .init(parents: parents)))
    }

    /// R4, the trap: what can be read from any object is read from an error, and the value is gone.
    @Test(arguments: [#"{"error":"later"}"#, "{}"])
    func r4AnyObjectIsNoBareValue(answer: String) async {
        let stand = Self.stand(answer)
        for error in [
            await #expect(throws: CallError.self) { try await stand.$fruit.get() },
            await #expect(throws: CallError.self) { try await stand.$prices.get() },
        ] {
            guard case .missingPath = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
        #expect(stand.fruit.name == "fig" && stand.prices == ["fig": 3])
    }

    @Test func r4AValueThatIsKnownByItsMembersMayBeBare() async throws {
        let stand = Self.stand(#"{"name":"plum"}"#)
        #expect(try await stand.$fruit.get().name == "plum")
        stand.use(GatewayClient(transport: ScriptedTransport(json: #"{"size":3}"#)))
        #expect(try await stand.$fruit.get().name == nil, "the answer before was bare, and so is this one")
        #expect(try await Self.stand(#"{"error":1}"#, .gateway).$prices.get() == ["error": 1])
    }

    /// A query in the path would be asked for as part of the path.
    @Test(arguments: ["echo?q=1", "fruits/{id}?q=1"])
    func aQueryInThePathIsRefused(path: String) async {
        let transport = ScriptedTransport(json: "1")
        let rest = Rest(wrappedValue: 0, path: path, params: ["id": 7])
        let client = GatewayClient(transport: transport)
        let error = await #expect(throws: CallError.self) {
            try await GatewayClient.withClient(client) { try await rest.projectedValue.get() }
        }
        guard case .encode(let detail) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(detail.contains(path) && detail.contains("params:") && transport.lines.isEmpty)
    }

    /// A setter is the program's, and may look at the property itself.
    struct Form: Codable, Sendable {
        var name = ""
        var size = 0
        var isRead = false

        var checked: String {
            get { name }
            set {
                isRead = RestValuesTests.query?.wrappedValue.size == 0
                name = newValue
            }
        }
    }

    @TaskLocal static var query: RestQuery<Form, Form>?

    @Test func r6ASetterMayReadTheProperty() {
        let rest = Rest(wrappedValue: Form(), path: "form")
        let query = rest.projectedValue
        Self.$query.withValue(query) { query.checked = "fig" }
        #expect(rest.wrappedValue.name == "fig" && rest.wrappedValue.isRead)
    }

    /// R6: of two fields that are written at the same time, none is lost.
    @Test func r6FieldsWrittenAtTheSameTime() async {
        let rest = Rest(wrappedValue: Form(), path: "form")
        let binding = rest.projectedValue.projectedValue
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 { binding.change { $0.size += 1 } }
                }
            }
            group.addTask {
                for number in 0..<2000 { binding.name.wrappedValue = "\(number)" }
            }
        }
        #expect(rest.wrappedValue.size == 2000 && rest.wrappedValue.name == "1999")
    }

    class Base: Bindings, @unchecked Sendable {
        @Rest(path: "a") var a = 0
    }

    final class Derived: Base, @unchecked Sendable {
        @Rest(path: "b") var b = 0
    }

    /// R1: properties of a superclass belong to the instance as well.
    @Test func r1PropertiesOfASuperclass() async throws {
        let transport = ScriptedTransport(json: "1")
        let stand = Derived().use(GatewayClient(transport: transport))
        try await stand.$a.get()
        try await stand.$b.get()
        #expect(transport.lines == ["GET /a", "GET /b"])
    }
}
