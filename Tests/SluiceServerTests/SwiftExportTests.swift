import Foundation
import SluiceClient
import SluiceConfig
import SluiceContract
import SluiceServer
import Testing

/// Configurations as Swift and back.
@Suite struct SwiftExportTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static var demo: String {
        get throws { try String(contentsOf: root.appendingPathComponent("config/demo.yaml"), encoding: .utf8) }
    }

    private static func configuration(_ text: String) throws -> Configuration {
        let contents = Array(text.utf8)
        let surroundings = Surroundings(contents: { _ in .success(contents) }, secretFile: { _, _ in nil })
        let loaded = try ConfigurationReader(
            path: "/sluice.yaml", environment: [:], surroundings: surroundings, secrets: .ignored
        ).read()
        #expect(loaded.mistakes.isEmpty, "\(loaded.mistakes)")
        return try #require(loaded.configuration)
    }

    /// Exported pages, as sources that are compiled here.
    @Test(arguments: ["DemoBindings", "EveryKindBindings"])
    func pagesAsSwift(_ name: String) throws {
        let page = name == "DemoBindings" ? try Self.demo : Self.everyKind
        let source = SwiftExport.source(try Self.configuration(page), from: "sluice.yaml")
        let file = Self.root.appendingPathComponent("Tests/SluiceServerTests/Documents/\(name).swift")
        if ProcessInfo.processInfo.environment["SLUICE_UPDATE"] == "1" {
            try source.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == source)
    }

    /// A gateway of the exported properties serves what the page says of them.
    @Test func thereAndBack() throws {
        let original = try Self.configuration(try Self.demo)
        let gateway = Gateway(
            FruitBindings(), upstream: "http://127.0.0.1:9090/v1", bearer: .value("demo-token"))
        let made = try gateway.configuration()
        for binding in made.bindings {
            let source = try #require(original.bindings.first { $0.name == binding.name }, "\(binding.name)")
            #expect(binding.parent == source.parent)
            #expect(binding.wrap == source.wrap)
            #expect(binding.sendsBearer == source.sendsBearer)
            #expect(binding.keep == source.keep)
            if let value = source.value { #expect(binding.value == value) }
        }
        #expect(made.bindings.count == original.bindings.count - 1, "all but ANY /raw/**")
        let again = try Self.configuration(try gateway.yaml())
        #expect(again.bindings == made.bindings && again.types == made.types)
    }

    /// What the API leaves out is no mistake to the gateway, and to a program what the page says.
    @Test func defaultsOfFieldsAreKept() throws {
        let made = try Gateway(FruitBindings(), upstream: "http://127.0.0.1:9090/v1").configuration()
        let fruit = try #require(made.types.first { $0.name == "Fruit" })
        #expect("\(fruit.type)".contains("ripe: Bool?,"), "\(fruit.type)")
        let fig = try JSONDecoder().decode(Fruit.self, from: Data(#"{"name":"fig","size":3,"color":"red"}"#.utf8))
        #expect(fig.ripe && Fruit().ripe)
        let read = try JSONDecoder().decode(Defaults.self, from: Data(#"{"free":null,"later":null}"#.utf8))
        #expect(read.count == 5 && read.mood == .verySad)
        #expect(read.list == ["a"] && read.either == .integer(5))
        #expect(read.free == .null && read.later == nil && read.seed == nil)
    }

    private static let everyKind = """
        upstreams: {api: {url: "http://127.0.0.1:1"}}
        types:
          Mood: happy | "very sad" | in
          Limited: Int(1...5)
          Node: {next: Node?, value: Int, "strange-key": URL, mood: Mood}
          All:
            text: String
            numbers: [Double]
            more: {"*": Decimal}
            open: one | two | …
            either: String | Int
            when: Date(seconds)
            inner: {name: String, "type?": UUID}
            limited: Limited
            self: Bool = true
            type: one | two
            foo-bar: Int
            fooBar: Int
            other: Inner
          Inner: {id: Int}
          Any: {id: Int}
          Colors: "[red | green]"
          Shape.Circle: {r: Double}
          ShapeCircle: {r: Double}
          User: {login: String}
          Defaults:
            count: Int? = 5
            mood: Mood = "very sad"
            free: "JSON = [1]"
            list: "[String] = [a]"
            seed: {type: Inner, default: {id: 1}}
            either: Int | String = 5
            later: Later = 7
          Later: Int | null
        bindings:
          GET /all: {to: api /all, value: All, parent: data.all}
          GET /nodes/{id}: {to: "api /v2/nodes/{id}", params: {id: String}, value: Node}
          PUT /nodes/{id}: {to: "api /nodes/{id}", params: {id: String}, body: Node, value: Node}
          POST /other: {to: api /other, body: Node, value: All}
          POST /form: {to: api /form, body: {form: {a: Int}}}
          GET /any: {to: api /any, params: {key: "String = secret", q: String?}, value: Any, cache: {fresh: 1m}}
          GET /shapes: {to: api /shapes, value: "[ShapeCircle]"}
          GET /free: {to: api /free}
          GET /followers: {to: api /followers, value: "[User]", parent: user.followers.user.nodes}
          GET /strings: {to: api /strings, value: "[String]", parent: string.type.default}
        """

    /// What clients get is exported, whatever the API calls it.
    @Test func renamedKeysAreThoseOfClients() throws {
        let page = """
            upstreams: {api: {url: "http://127.0.0.1:1", keys: camelCase}}
            types: {User: {full_name: String}}
            bindings: {GET /user: {to: api /user, value: User}}
            """
        let source = SwiftExport.source(try Self.configuration(page), from: "sluice.yaml")
        #expect(source.contains("fullName"))
        #expect(!source.contains("full_name"))
    }

    /// What is made of others is asked for like anything else.
    @Test func composedBindingsAreExported() throws {
        let page = """
            upstreams: {api: {url: "http://127.0.0.1:1"}}
            types: {User: {name: String}}
            bindings:
              GET /user: {to: api /user, value: User}
              GET /whole: {parts: {user: GET /user}, value: User, parent: user}
            """
        let source = SwiftExport.source(try Self.configuration(page), from: "sluice.yaml")
        #expect(source.contains("struct ComposedBindings: Bindings {"))
        #expect(source.contains("/// Made of user: GET /user."))
        #expect(source.contains(#"@Rest(path: "whole", methods: [.get])"#))
    }
}
