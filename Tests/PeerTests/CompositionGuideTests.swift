import Foundation
import Testing

/// The page of docs/COMPOSITION.md and its commands, as they stand there: in front of an origin that answers by target,
/// and with fixtures alone.
@Suite struct CompositionGuideTests {
    private static let documents = [
        "/films": #"[{"id":7,"title":"Metropolis"},{"id":8,"title":"M"}]"#,
        "/films?limit=2": #"[{"id":7,"title":"Metropolis"},{"id":8,"title":"M"}]"#,
        "/films/7": #"{"id":7,"title":"Metropolis","release_year":1927,"studio_id":3}"#,
        "/films/8": #"{"id":8,"title":"M","release_year":1931,"studio_id":3}"#,
        "/studios/3": #"{"name":"UFA","home_town":"Babelsberg"}"#,
        "/news": #"[{"headline":"A premiere"}]"#,
    ]
    private static let previews = "## Previews"

    private static func guide() throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/COMPOSITION.md"), encoding: .utf8)
    }

    /// Runs the commands of a text, and compares what they print with what stands below them.
    private func run(_ text: String, _ gateway: Daemon, count: Int) throws {
        let blocks = text.components(separatedBy: "```console\n").dropFirst()
        #expect(blocks.count == count)
        for block in blocks {
            let lines = block.components(separatedBy: "```")[0].split(separator: "\n").map(String.init)
            let command = String(try #require(lines.first).dropFirst(2))
                .replacing("curl ", with: "curl --silent ")
                .replacing("127.0.0.1:8080", with: "127.0.0.1:\(gateway.port)")
            let process = try ChildProcess(["/bin/sh", "-c", command])
            #expect(try process.waitForExit() == 0, "\(command)")
            let printed = process.output.trimmingCharacters(in: .newlines)
            #expect(printed == lines.dropFirst().joined(separator: "\n"), "\(command)")
        }
    }

    @Test func answersAreMadeAsShown() throws {
        let origin = try DocumentOrigin(Self.documents)
        defer { origin.end() }
        let text = try Self.guide()
        let page = try #require(text.components(separatedBy: "```yaml\n").last).components(separatedBy: "```")[0]
        let gateway = try Daemon(page.replacing("https://films.example", with: origin.url))
        defer { gateway.end() }
        try run(text.components(separatedBy: Self.previews)[0], gateway, count: 4)
    }

    @Test func previewsNeedNoUpstream() throws {
        let text = try Self.guide()
        let page = try #require(text.components(separatedBy: "```yaml\n").last).components(separatedBy: "```")[0]
        let gateway = try Daemon(page, options: ["--fixtures", "all"])
        defer { gateway.end() }
        try run(#require(text.components(separatedBy: Self.previews).last), gateway, count: 3)
    }
}
