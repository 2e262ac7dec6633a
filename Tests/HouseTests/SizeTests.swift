import Testing

/// Files, types, functions and lines that fit a reader's head.
@Suite struct SizeTests {
    static let fileLinesMax = 350
    /// Of a type with all of its extensions: slicing it over files makes it no smaller.
    static let typeLinesMax = 900
    static let functionLinesMax = 70
    static let columnsMax = 120

    @Test(arguments: SourceFile.sources + SourceFile.tests)
    func filesAreShort(_ file: SourceFile) {
        #expect(file.lines.count <= Self.fileLinesMax)
    }

    @Test func typesAreShort() {
        let spans = SourceFile.swiftSources.flatMap(TypeSpan.all)
        let lines = Dictionary(grouping: spans, by: \.name).mapValues { $0.reduce(0) { $0 + $1.lineCount } }
        #expect(lines.count > 500)
        for (name, count) in lines where count > Self.typeLinesMax {
            Issue.record("\(name): \(count) lines; give a part of it a type of its own")
        }
    }

    /// Functions of C are found: the rule above would hold of none.
    @Test func functionsOfCAreFound() throws {
        let walk = try #require(SourceFile.sources.first { $0.path.hasSuffix("json_walk_skip.h") })
        let skip = try #require(FunctionSpan.all(in: walk).first { $0.declaration.contains("bool skip(") })
        #expect(skip.lineCount > 30 && walk.lines[skip.line + skip.lineCount - 2] == "}")
    }

    @Test(arguments: SourceFile.sources + SourceFile.tests)
    func linesAreShort(_ file: SourceFile) {
        let long = file.lines.indices.filter { file.lines[$0].count > Self.columnsMax }.map { $0 + 1 }
        #expect(long.isEmpty, "lines \(long) are longer than \(Self.columnsMax) columns")
    }

    @Test(arguments: SourceFile.sources)
    func functionsAreShort(_ file: SourceFile) {
        for function in FunctionSpan.all(in: file) where function.lineCount > Self.functionLinesMax {
            Issue.record("line \(function.line): \(function.lineCount) lines: \(function.declaration)")
        }
    }
}
