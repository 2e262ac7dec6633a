import Testing

/// What has no place in a source that ships.
@Suite struct WordTests {
    static let banned = ["TODO", "FIXME", "fatalError(", "try!", "as!"]

    @Test(arguments: SourceFile.sources)
    func nothingIsLeftForLater(_ file: SourceFile) {
        for (index, line) in file.lines.enumerated() {
            for word in Self.banned where line.contains(word) {
                Issue.record("line \(index + 1) holds \(word)")
            }
        }
    }
}
