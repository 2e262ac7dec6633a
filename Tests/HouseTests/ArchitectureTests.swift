import Testing

/// What docs/ARCHITECTURE.md says of modules, rooms, stages and files is so.
@Suite struct ArchitectureTests {
    private static let page = ((try? SourceFile.text("docs/ARCHITECTURE.md")) ?? "").split(
        separator: "\n", omittingEmptySubsequences: false)

    /// The first column of the table under a heading: what stands in backticks there.
    private static func firstColumn(under heading: String) -> [String] {
        let section = page.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }.flatMap { row in
            code(in: row.split(separator: "|", maxSplits: 1)[0])
        }
    }

    private static func code(in text: Substring) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
    }

    @Test func itIsShort() {
        #expect((100...250).contains(Self.page.count))
    }

    @Test func modulesStandInTheirOrder() {
        let modules = Self.firstColumn(under: "## Modules").filter { !$0.hasPrefix("C") }
        #expect(modules == ImportTests.targets.map(\.key))
        let c = Self.firstColumn(under: "## Modules").filter { $0.hasPrefix("C") }
        #expect(Set(c) == Set(SourceFile.sources.map(\.target).filter { $0.hasPrefix("C") }))
    }

    @Test func roomsStandInTheirOrder() {
        #expect(Self.firstColumn(under: "## Rooms of SluiceGateway") == RoomTests.order)
    }

    /// Each stage of the corridor, with the file that has it.
    @Test func stagesAreThoseOfTheTable() throws {
        let table = try #require(SourceFile.sources.first { $0.stem == "Step" })
        let cases = table.lines.filter { $0.hasPrefix("    case ") }.map { String($0.dropFirst(9)) }
        let stages = Self.firstColumn(under: "## The corridor")
        #expect(Set(stages) == Set(cases.filter { $0 != "rest" }))
        #expect(stages.count == cases.count - 1)
    }

    /// Whether a file is called so; `json_walk_*.h` stands for all that begin and end like this.
    private static func isMatch(_ file: String, _ pattern: String) -> Bool {
        let ends = pattern.split(separator: "*", omittingEmptySubsequences: false)
        return ends.count == 2 ? file.hasPrefix(ends[0]) && file.hasSuffix(ends[1]) : file == pattern
    }

    /// Files and types that the page names exist.
    @Test func whatIsNamedExists() {
        let stems = Set(SourceFile.sources.map { $0.path.split(separator: "/").last.map(String.init) ?? "" })
        var declared: Set<String> = []
        for file in SourceFile.swiftSources {
            for line in file.lines {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                for (word, name) in zip(words, words.dropFirst())
                where ["struct", "class", "enum", "protocol", "typealias"].contains(word) {
                    declared.insert(String(name))
                }
            }
        }
        for line in Self.page {
            for name in Self.code(in: line) {
                if name.hasSuffix(".swift") || name.hasSuffix(".h") || name.hasSuffix(".c") {
                    let file = name.split(separator: "/").last.map(String.init) ?? ""
                    #expect(
                        stems.contains { Self.isMatch($0, file) }
                            || SourceFile.tests.contains { $0.path.hasSuffix(file) }, "\(name)")
                } else if name.first?.isUppercase == true, name.allSatisfy({ $0.isLetter || $0.isNumber }) {
                    let isKnown =
                        declared.contains(name) || RoomTests.order.contains(name)
                        || SourceFile.sources.contains { $0.target == name }
                        || SourceFile.tests.contains { $0.target == name }
                    #expect(isKnown, "\(name) is no type, room or module")
                }
            }
        }
    }
}
