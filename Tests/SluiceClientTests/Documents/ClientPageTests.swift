import Foundation
import Testing

/// docs/CLIENT.md shows what is compiled and run in ClientGuideTests.swift.
@Suite struct ClientPageTests {
    private static let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    @Test func everyExampleIsRun() throws {
        let root = Self.here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try Self.lines(of: root.appendingPathComponent("docs/CLIENT.md"))
        let code = try Self.lines(of: Self.here.appendingPathComponent("ClientGuideTests.swift"))
        let swift = page.indices.filter { page[$0] == "```swift" }
        #expect(swift.count > 10)
        for start in swift {
            let example = Array(page[(start + 1)...].prefix { $0 != "```" })
            guard !example[0].hasPrefix(".package") else { continue }
            let isRun = code.indices.dropLast(example.count - 1).contains {
                code[$0] == example[0] && Array(code[$0..<($0 + example.count)]) == example
            }
            #expect(isRun, "the example at line \(start + 1) of docs/CLIENT.md is not in ClientGuideTests.swift")
        }
    }
}
