import Foundation
import SluiceClient
import SluiceContract
import SluiceServer
import Testing

/// The examples of docs/SERVER.md, as they stand there: compiled, and run in front of the demo API.
@Suite struct ServerGuideTests {
    struct Fruit: Codable {
        var name: String
        var size: Int
        var color: Color
        var picked: Date?

        enum Color: String, Codable, CaseIterable { case red, green, yellow }
    }

    struct Fruits: ParentCodable {
        var values: [Fruit] = []

        static func wrap(child: [Fruit]) -> Fruits { Fruits(values: child) }
    }

    struct Account: Codable {
        var email: String
        var password: String
    }

    struct FruitStand: Bindings {
        @Rest(path: "fruits", params: ["limit": 10], methods: [.get], parent: Fruits.self, prop: \.values)
        var fruits: [Fruit] = []
        @Rest(path: "fruits/{id}", params: ["id": 1], methods: [.get, .delete])
        var fruit = Fruit(name: "", size: 0, color: .red)
        @Rest(path: "signin", bearer: false, methods: [.post])
        var account = Account(email: "", password: "")
    }

    struct Money: Codable { var cents: Int }

    @Test func aGatewayInATest() async throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let gateway = Gateway(
            FruitStand(), upstream: "http://127.0.0.1:\(upstream.port)/v1", bearer: .value("demo-token"))
        try await gateway.withServer { port in
            let stand = FruitStand().use(try GatewayClient("http://127.0.0.1:\(port)"))
            let fruits = try await stand.$fruits.get()
            print(fruits.count)
        }
    }

    @Test func settings() throws {
        let gateway = Gateway(FruitStand(), upstream: "https://fruit.example/v1", bearer: .environment("FRUIT_TOKEN"))
            .configured { $0.limits.bodyBytes = 1 << 20 }
            .configured("fruits") { binding in
                binding.cache = CachePolicy()
                binding.cache?.fresh = .seconds(60)
            }
        print(try gateway.yaml())
        let configuration = try gateway.configuration()
        #expect(configuration.limits.bodyBytes == 1 << 20)
        #expect(configuration.bindings.first { $0.name == "GET /fruits" }?.cache?.fresh == .seconds(60))
    }

    @Test func theServiceEndsWithItsTask() async throws {
        let serving = Task {
            try await Gateway(FruitStand(), upstream: "https://fruit.example/v1", bearer: .environment("FRUIT_TOKEN"))
                .serve(on: .tcp(port: 8080))
        }
        serving.cancel()
        // The variable is not set here, and that is told.
        let error = await #expect(throws: GatewayError.self) { try await serving.value }
        #expect(error?.description.contains("FRUIT_TOKEN") == true)
    }

    @Test func typesSayThemselves() throws {
        struct Stand: Bindings {
            @Rest(path: "price", methods: [.get]) var price = Money(cents: 0)
        }
        let configuration = try Gateway(Stand(), upstream: "https://fruit.example").configuration()
        #expect(configuration.bindings.first?.value?.description == "Decimal(string)")
    }

    @Test func everyExampleIsRun() throws {
        let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        func lines(_ file: URL) throws -> [String] {
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let page = try lines(root.appendingPathComponent("docs/SERVER.md"))
        let code = try lines(here)
        let starts = page.indices.filter { page[$0] == "```swift" }
        #expect(starts.count > 5)
        for start in starts {
            let example = Array(page[(start + 1)...].prefix { $0 != "```" })
            guard !example[0].hasPrefix(".package") else { continue }
            let isRun = code.indices.dropLast(example.count - 1).contains {
                Array(code[$0..<($0 + example.count)]) == example
            }
            #expect(isRun, "the example at line \(start + 1) of docs/SERVER.md is not in ServerGuideTests.swift")
        }
    }
}

extension Money: TypeNotated {
    static var typeNotation: String { "Decimal(string)" }
}

private typealias Money = ServerGuideTests.Money
