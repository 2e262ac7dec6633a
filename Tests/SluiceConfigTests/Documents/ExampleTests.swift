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
        "examples/graphql.yaml", "examples/json-api.yaml", "examples/payments.yaml", "examples/rows.yaml",
        "examples/several-upstreams.yaml", "examples/uploads.yaml",
    ]
    /// Pages that others include.
    static let included = ["examples/rows/streams.yaml"]

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func bench(_ yaml: String) throws -> Bench {
        var files = ["/etc/sluice/weather-token": Bench.File(text: "w\n")]
        for name in included {
            files["/etc/sluice/" + name.dropFirst("examples/".count)] = .init(text: try text("config/\(name)"))
        }
        return Bench(
            yaml, files: files,
            environment: ["GITHUB_TOKEN": "g", "STOCK_TOKEN": "s", "CHAT_TOKEN": "c", "PAYMENTS_KEY": "p"])
    }

    @Test func listIsComplete() throws {
        let config = Self.root.appendingPathComponent("config")
        let found = try #require(FileManager.default.enumerator(atPath: config.path)).compactMap { $0 as? String }
        // Rules for Prometheus are no configuration.
        let pages = found.filter { $0.hasSuffix(".yaml") && $0 != "alerts.yaml" }
        #expect(pages.sorted() == (Self.names + Self.included).sorted())
    }

    @Test(arguments: names) func loads(_ name: String) throws {
        let loaded = try Self.bench(try Self.text("config/\(name)")).load()
        #expect(loaded.mistakes.map(\.description) == [])
        #expect(loaded.warnings.map(\.description) == [])
        #expect(loaded.configuration?.bindings.isEmpty == false)
    }

    @Test(arguments: names + included) func carriesTheEditorLine(_ name: String) throws {
        let lead = String(repeating: "../", count: name.count { $0 == "/" })
        #expect(
            try Self.text("config/\(name)").hasPrefix("# yaml-language-server: $schema=\(lead)sluice.schema.json\n"))
    }

    @Test(arguments: names + included) func fitsTheSchema(_ name: String) throws {
        let schema = try SchemaValidator(ConfigurationSchema.json())
        let node = try #require(SourceDocument.root(Findings(file: name, text: try Self.text("config/\(name)"))))
        #expect(schema.faults(of: node) == [])
    }
}
