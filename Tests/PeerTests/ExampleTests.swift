import Foundation
import Testing

/// The pages of `config/examples/`, served in front of APIs that answer as those do that they are written for. What is
/// asked and answered stands in `Fixtures`, to the byte.
@Suite struct ExampleTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let examples = root.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("config/examples")

    /// The table that the documentation shows, and what comes out of it.
    @Test func aTableIsAnsweredAsDocumented() throws {
        let manual = Self.examples.appendingPathComponent("../../docs/CONFIGURATION.md")
        let text = try String(contentsOf: manual, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "### `rows:`\n").last)
            .components(separatedBy: "<!-- keys: binding.rows -->")[0]
        let page = try #require(section.components(separatedBy: "```yaml\n").last).components(separatedBy: "```")[0]
        let shown = section.components(separatedBy: "\n\n").filter { $0.hasPrefix("    ") }.map { block in
            block.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n")
        }
        #expect(shown.count == 2)
        let table = shown[0] + "\n"
        let origin = try ScriptedOrigin(
            answering:
                "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: \(table.utf8.count)\r\n\r\n\(table)")
        defer { origin.end() }
        let gateway = try Daemon("upstreams: {fruit: {url: \"\(origin.url)\"}}\n" + page)
        defer { gateway.end() }
        #expect(try gateway.get("/stock").text == shown[1])
    }

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: examples.appendingPathComponent(name), encoding: .utf8)
    }

    @Test(arguments: ["chat", "graphql", "json-api", "payments", "rows"])
    func answersAsWritten(_ name: String) throws {
        let fixture = Self.root.appendingPathComponent("Fixtures/\(name).exchange")
        let script = try ExchangeScript(String(contentsOf: fixture, encoding: .utf8))
        #expect(script.scenes.count > 2)
        let origin = try ExchangeOrigin()
        defer { origin.end() }
        let page = try Self.page("\(name).yaml").replacing(/https:\/\/[a-z]+\.example/, with: origin.url)
        let gateway = try Daemon(
            page,
            environment: ["GITHUB_TOKEN": "ghp_example", "CHAT_TOKEN": "xoxb-example", "PAYMENTS_KEY": "sk_example"],
            files: ["rows/streams.yaml": try Self.page("rows/streams.yaml")])
        defer { gateway.end() }
        for scene in script.scenes {
            origin.expect(scene)
            let words = scene.sent.start.split(separator: " ").map(String.init)
            let answer = try gateway.client().request(
                words[0], words[1], fields: scene.sent.fields,
                body: scene.sent.content.isEmpty ? nil : scene.sent.content)
            #expect(answer.isComplete, "\(scene.title)")
            #expect("\(answer.status)" == scene.received.start, "\(scene.title)")
            #expect(answer.text == scene.received.content, "\(scene.title)")
            let fields = answer.fields.map { "\($0.name): \($0.value)" }
            for field in scene.received.fields { #expect(fields.contains(field), "\(scene.title): \(fields)") }
            #expect(origin.surprises == [], "\(scene.title)")
        }
    }
}
