import Foundation
import SluiceContract
import Testing

@testable import SluiceConfig

/// The files of `config/` and the schema beside them.
@Suite struct ExampleTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let names = [
        "demo.yaml", "sluice.yaml", "examples/chat.yaml", "examples/errors.yaml", "examples/github.yaml",
        "examples/graphql.yaml", "examples/json-api.yaml", "examples/payments.yaml", "examples/several-upstreams.yaml",
        "examples/uploads.yaml",
    ]

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func bench(_ yaml: String) -> Bench {
        Bench(
            yaml, files: ["/etc/sluice/weather-token": .init(text: "w\n")],
            environment: ["GITHUB_TOKEN": "g", "STOCK_TOKEN": "s", "CHAT_TOKEN": "c", "PAYMENTS_KEY": "p"])
    }

    @Test func listIsComplete() throws {
        let config = Self.root.appendingPathComponent("config")
        let found = try #require(FileManager.default.enumerator(atPath: config.path)).compactMap { $0 as? String }
        #expect(found.filter { $0.hasSuffix(".yaml") }.sorted() == Self.names.sorted())
    }

    @Test(arguments: names) func loads(_ name: String) throws {
        let loaded = Self.bench(try Self.text("config/\(name)")).load()
        #expect(loaded.mistakes.map(\.description) == [])
        #expect(loaded.warnings.map(\.description) == [])
        #expect(loaded.configuration?.bindings.isEmpty == false)
    }

    @Test(arguments: names) func carriesTheEditorLine(_ name: String) throws {
        let lead = name.contains("/") ? "../" : ""
        #expect(
            try Self.text("config/\(name)").hasPrefix("# yaml-language-server: $schema=\(lead)sluice.schema.json\n"))
    }

    @Test(arguments: names) func fitsTheSchema(_ name: String) throws {
        let schema = try SchemaValidator(ConfigurationSchema.json())
        let node = try #require(SourceDocument.root(Findings(file: name, text: try Self.text("config/\(name)"))))
        #expect(schema.faults(of: node) == [])
    }
}
