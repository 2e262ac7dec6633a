import Testing

/// Files, functions and lines that fit a reader's head.
@Suite struct SizeTests {
    static let fileLinesMax = 350
    static let functionLinesMax = 70
    static let columnsMax = 120

    @Test(arguments: SourceFile.sources + SourceFile.tests)
    func filesAreShort(_ file: SourceFile) {
        #expect(file.lines.count <= Self.fileLinesMax)
    }

    @Test(arguments: SourceFile.sources + SourceFile.tests)
    func linesAreShort(_ file: SourceFile) {
        let long = file.lines.indices.filter { file.lines[$0].count > Self.columnsMax }.map { $0 + 1 }
        #expect(long.isEmpty, "lines \(long) are longer than \(Self.columnsMax) columns")
    }

    /// Loops that are one function on purpose: what they keep in registers would be stored and loaded at every call.
    static let longLoops: Set<String> = ["members(", "skipIndexed("]

    @Test(arguments: SourceFile.swiftSources)
    func functionsAreShort(_ file: SourceFile) {
        for function in FunctionSpan.all(in: file) where function.lineCount > Self.functionLinesMax {
            if Self.longLoops.contains(where: function.declaration.contains) { continue }
            Issue.record("line \(function.line): \(function.lineCount) lines: \(function.declaration)")
        }
    }
}
