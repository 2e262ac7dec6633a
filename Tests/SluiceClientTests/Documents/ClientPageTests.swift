import Foundation
import Testing

/// What docs/CLIENT.md and the DocC catalogue show is compiled and run in the files beside this one.
@Suite struct ClientPageTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let catalogue = "Sources/SluiceClient/SluiceClient.docc"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func lines(of path: String) throws -> [String] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    private static func files(in folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
    }

    /// Examples that no line of a test is: they stand in a package's manifest.
    private static func isManifest(_ example: [String]) -> Bool { example[0].hasPrefix(".package") }

    @Test func everyExampleIsRun() throws {
        let pages = try ["docs/CLIENT.md", "README.md"] + Self.files(in: Self.catalogue, ".md")
        let code = try ["Tests/SluiceClientTests/Documents", "Tests/SluiceCombineTests/Documents"]
            .flatMap { try Self.files(in: $0, ".swift") }.map(Self.lines)
        for path in pages {
            let page = try Self.lines(of: path)
            let swift = page.indices.filter { page[$0] == "```swift" }
            for start in swift {
                let example = Array(page[(start + 1)...].prefix { $0 != "```" })
                guard !Self.isManifest(example) else { continue }
                let isRun = code.contains { file in
                    file.indices.dropLast(example.count - 1).contains {
                        file[$0] == example[0] && Array(file[$0..<($0 + example.count)]) == example
                    }
                }
                #expect(isRun, "the example at line \(start + 1) of \(path) is in no test")
            }
            let isExpected = path == "docs/CLIENT.md" || path.contains("/ComingFrom")
            #expect(!isExpected || swift.count >= 2, "\(path) shows nothing")
        }
    }

    /// Articles of the catalogue that are sections of docs/CLIENT.md, by their headings.
    private static let articles = [
        "": "GettingStarted", "Bound properties": "BoundProperties", "What goes wrong": "WhatGoesWrong",
        "Requests as types": "RequestsAsTypes", "Resources": "ResourcesAndDisplays", "Publishers": "PublishersOfCalls",
        "In tests": "InTests",
    ]

    /// A section as an article; its links to other pages become their names.
    private static func article(_ heading: String, _ section: Substring) -> String {
        let title =
            switch heading {
            case "": "Getting started"
            case "Resources": "Resources and displays"
            case "Publishers": "Publishers of calls"
            default: heading
            }
        let body = section.replacing(/\[([^\]]*)\]\(([A-Za-z]+\.md)\)/) { match in
            match.1 == match.2 ? "docs/\(match.2)" : "\(match.1) (docs/\(match.2))"
        }
        return "# \(title)\n\n" + body.trimmingCharacters(in: .newlines)
            + "\n\n<!-- A section of docs/CLIENT.md: edit that. -->\n"
    }

    /// `SLUICE_UPDATE=1` writes them anew.
    @Test func articlesAreSectionsOfThePage() throws {
        let page = try Self.text("docs/CLIENT.md")
        let sections = page.components(separatedBy: "\n## ")
        #expect(sections.count == Self.articles.count)
        for (index, section) in sections.enumerated() {
            let heading = index == 0 ? "" : String(section.prefix { $0 != "\n" })
            let name = try #require(Self.articles[heading], "'\(heading)' has no article: name one")
            let body = section.drop { $0 != "\n" }
            let path = "\(Self.catalogue)/\(name).md"
            let wanted = Self.article(heading, body)
            if ProcessInfo.processInfo.environment["SLUICE_UPDATE"] != nil {
                try wanted.write(to: Self.root.appendingPathComponent(path), atomically: true, encoding: .utf8)
            }
            #expect(try Self.text(path) == wanted, "SLUICE_UPDATE=1 swift test --filter ClientPageTests writes it")
        }
    }
}
