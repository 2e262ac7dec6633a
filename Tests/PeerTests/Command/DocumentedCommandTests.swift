import Foundation
import Testing

/// The calls that the documentation shows against the demo API answer as it says.
@Suite struct DocumentedCommandTests {
    /// A command and what it prints.
    struct Example: Sendable, CustomTestStringConvertible {
        var command: String
        var output: String
        var testDescription: String { command }
    }

    private static func examples(_ page: String) throws -> [Example] {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        return text.components(separatedBy: "```console\n").dropFirst().compactMap { block in
            let lines = block.components(separatedBy: "```")[0].split(separator: "\n").map(String.init)
            guard let first = lines.first, first.hasPrefix("$ curl") else { return nil }
            return Example(command: String(first.dropFirst(2)), output: lines.dropFirst().joined(separator: "\n"))
        }
    }

    @Test(arguments: [("README.md", 4), ("docs/PROBLEMS.md", 1)])
    func printWhatIsShown(_ page: String, _ count: Int) throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let gateway = try Daemon(upstream.configuration())
        defer { gateway.end() }
        let examples = try Self.examples(page)
        #expect(examples.count == count)
        for example in examples {
            let command = example.command
                .replacingOccurrences(of: "curl ", with: "curl --silent --max-time 10 ")
                .replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(gateway.port)")
            let process = try ChildProcess(["/bin/sh", "-c", command])
            #expect(try process.waitForExit() == 0)
            #expect(process.output.trimmingCharacters(in: .newlines) == example.output, "\(command)")
        }
    }
}
