import Foundation
import SluiceContract
import Testing

@testable import SluiceConfig

/// What is generated from the reader's tables, and what the documentation shows.
///
/// `SLUICE_UPDATE=1 swift test --filter DocumentationTests` writes the generated parts anew.
@Suite struct DocumentationTests {
    private static let isUpdating = ProcessInfo.processInfo.environment["SLUICE_UPDATE"] == "1"

    private static func expect(_ path: String, is text: String) throws {
        if isUpdating {
            try text.write(to: ExampleTests.root.appendingPathComponent(path), atomically: true, encoding: .utf8)
        }
        #expect(try ExampleTests.text(path) == text, "run the tests with SLUICE_UPDATE=1 and look at the difference")
    }

    @Test func schemaIsTheReaders() throws {
        try Self.expect("config/sluice.schema.json", is: ConfigurationSchema.json())
    }

    @Test func keyTablesAreTheReaders() throws {
        let text = try ExampleTests.text("docs/CONFIGURATION.md")
        let sections = [RootSection.section] + ConfigurationSchema.sections
        var shown: [String] = []
        var result = ""
        var isSkipping = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "<!-- end -->" { isSkipping = false }
            if !isSkipping { result += line + "\n" }
            guard line.hasPrefix("<!-- keys: ") else { continue }
            let name = line.dropFirst("<!-- keys: ".count).dropLast(" -->".count)
            let section = try #require(sections.first { $0.name == name }, "no section \(name)")
            shown.append(section.name)
            result += KeyTable.markdown(section) + "\n"
            isSkipping = true
        }
        #expect(Set(shown) == Set(sections.map(\.name)))
        try Self.expect("docs/CONFIGURATION.md", is: String(result.dropLast()))
    }

    @Test func problemTableIsComplete() throws {
        let parts = try ExampleTests.text("docs/PROBLEMS.md").components(separatedBy: "<!-- problems -->\n")
        let end = try #require(parts.last?.range(of: "<!-- end -->"))
        try Self.expect(
            "docs/PROBLEMS.md",
            is: parts[0] + "<!-- problems -->\n" + Self.problemTable + (parts.last?[end.lowerBound...] ?? ""))
    }

    private static var problemTable: String {
        let rows = Problem.Kind.allCases.map { kind in
            "| `\(kind.rawValue)` | \(statuses(of: kind)) | \(kind.source) | \(kind.isRetryable ? "yes" : "no") "
                + "| \(kind.title). |\n"
        }
        return "\n| Kind | Status | Whose | Again later? | In words |\n|---|---|---|---|---|\n" + rows.joined()
    }

    /// A pause is a 429 where a quota is used up.
    private static func statuses(of kind: Problem.Kind) -> String {
        kind == .upstreamPaused ? "429 or \(kind.status)" : "\(kind.status)"
    }

    /// Every page for people.
    private static var pages: [String] {
        get throws {
            let docs = ExampleTests.root.appendingPathComponent("docs").path
            let names = try FileManager.default.contentsOfDirectory(atPath: docs).filter { $0.hasSuffix(".md") }
            return ["README.md", "CHANGELOG.md"] + names.sorted().map { "docs/\($0)" }
        }
    }

    /// The blocks of YAML in the documentation.
    static var blocks: [String] {
        get throws {
            try pages.flatMap { page in
                try ExampleTests.text(page).components(separatedBy: "```yaml\n").dropFirst().map {
                    $0.components(separatedBy: "```")[0]
                }
            }
        }
    }

    /// What the documents tell their readers to add to an example that leaves it out.
    private static let shared = (
        upstreams: "upstreams: {fruit: {url: http://127.0.0.1:9090/v1}}",
        types: "types: {Fruit: {name: String, size: Int}}"
    )

    @Test(arguments: ["CONFIGURATION", "CACHE", "WATCHING"]) func tellsWhatExamplesLeaveOut(_ page: String) throws {
        let text = try ExampleTests.text("docs/\(page).md")
        #expect(text.contains("`\(Self.shared.upstreams)`") && text.contains("`\(Self.shared.types)`"))
    }

    /// A block with what it leaves to the rest of the page.
    static func whole(_ block: String) -> Bench {
        var yaml = block
        if !block.contains("upstreams:") { yaml += shared.upstreams + "\n" }
        if !block.contains("types:") { yaml += shared.types + "\n" }
        let files = [
            "fruit-token", "redis-password", "ca.pem", "client.pem", "client.key", "server.pem", "server.key",
            "clients.pem", "fruit.pem", "fruit.key", "api.pem", "api.key",
            "fruit-secret", "nightly.pem", "accounts.pem", "worker.pem", "outer-token", "first-refresh-token",
            "billing-key", "printer-password", "state.key", "payments.pem", "lake-access-key", "lake-secret-key",
            "lake-session", "market-secret", "fruit-key", "fruit-key.pem", "fruit-refresh-token", "subject-token",
        ]
        var texts = Dictionary(uniqueKeysWithValues: files.map { ("/etc/sluice/\($0)", Bench.File(text: "x\n")) })
        texts["/etc/sluice/state.key"] = Bench.File(text: String(repeating: "k", count: 32))
        texts["/etc/sluice/bindings/apples.yaml"] = .init(text: "bindings: {GET /apples: {to: fruit /apples}}")
        texts["/etc/sluice/types/size.yml"] = .init(text: "types: {Size: Int}")
        texts["/etc/sluice/fixtures/fruits.json"] = .init(text: "[]")
        return Bench(
            yaml, files: texts,
            environment: [
                "FRUIT_TOKEN": "x", "REDIS_PASSWORD": "x", "MAPS_KEY": "x", "BOT_TOKEN": "x", "FRUIT_PASSWORD": "x",
            ])
    }

    /// Links from page to page, and to headings and anchors in them.
    @Test func everyLinkLeadsSomewhere() throws {
        for page in try Self.pages {
            let folder = page.contains("/") ? "docs/" : ""
            // Brackets and parentheses in code are no links.
            let text = try ExampleTests.text(page).replacing(/```[\s\S]*?```|`[^`\n]*`/, with: "")
            for link in text.matches(of: /\]\(([^)\s]+)\)/).map({ String($0.output.1) })
            where !link.contains("://") {
                let parts = link.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
                let isAbove = parts[0].hasPrefix("../")
                let path = parts[0].isEmpty ? page : isAbove ? String(parts[0].dropFirst(3)) : folder + parts[0]
                let file = ExampleTests.root.appendingPathComponent(path).path
                let isThere = FileManager.default.fileExists(atPath: file)
                #expect(isThere, "\(page): \(link)")
                if isThere, parts.count == 2 { #expect(try Self.anchors(path).contains(parts[1]), "\(page): \(link)") }
            }
        }
    }

    /// As GitHub makes them of headings, and those that are written.
    private static func anchors(_ page: String) throws -> Set<String> {
        let text = try ExampleTests.text(page)
        let written = text.matches(of: /<a id="([^"]+)">/).map { String($0.output.1) }
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
            line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        }
        return Set(written + headings)
    }

    @Test func everyExampleLoads() throws {
        for block in try Self.blocks {
            let loaded = Self.whole(block).load()
            #expect(loaded.mistakes.map(\.description) == [], "\(block)")
        }
    }

    @Test func everyExampleFitsTheSchema() throws {
        let schema = try SchemaValidator(ConfigurationSchema.json())
        for block in try Self.blocks {
            let node = try #require(SourceDocument.root(Findings(file: "", text: Self.whole(block).yaml)))
            #expect(schema.faults(of: node) == [])
        }
    }

    @Test func everyKeyHasAnExample() throws {
        let blocks = try Self.blocks.joined()
        for section in [RootSection.section] + ConfigurationSchema.sections {
            for key in section.keys {
                let isShown =
                    blocks.contains("\(key.name): ") || blocks.contains("\(key.name):\n")
                    || blocks.contains("\"\(key.name)\": ")
                #expect(isShown, "\(section.name): \(key.name)")
            }
        }
    }

    /// What is explained reads back as the same, whatever is configured.
    @Test func everyExampleSurvivesItsExplanation() throws {
        for block in try Self.blocks {
            var bench = Self.whole(block)
            guard var configuration = bench.load().configuration else { continue }
            bench.yaml = Explain.yaml(configuration)
            for index in configuration.upstreams.indices {
                if case .value = configuration.upstreams[index].bearer {
                    configuration.upstreams[index].bearer = .value(Explain.redacted)
                }
            }
            for binding in configuration.bindings.indices {
                for index in configuration.bindings[binding].parameters.indices
                where configuration.bindings[binding].parameters[index].isSensitive {
                    let isThere = configuration.bindings[binding].parameters[index].defaultJSON != nil
                    configuration.bindings[binding].parameters[index].defaultJSON = isThere ? "\"REDACTED\"" : nil
                }
            }
            #expect(bench.configuration() == configuration, "\(bench.yaml)")
        }
    }
}
