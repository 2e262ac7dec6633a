import Testing

@testable import SluiceConsole

@Suite struct TopTableTests {
    private static let row = FigureTable.Row(
        name: "GET /a/rather/long/path/with/parts", rate: 1, median: nil, slow: nil, errors: nil, hits: nil, total: 5)

    @Test func whatHasNoRoomIsLeftOut() {
        let table = TopTable(bindings: [Self.row])
        func titles(_ width: Int?) -> [String] { table.layout(width: width).map { table.columns[$0.column].title } }
        #expect(titles(80) == ["BINDING", "RATE", "P50", "P99", "ERRORS", "HITS", "TOTAL"])
        #expect(titles(60) == ["BINDING", "RATE", "P50", "P99", "ERRORS", "HITS"])
        #expect(titles(50) == ["BINDING", "RATE", "P50", "P99", "ERRORS"])
        #expect(titles(nil).count == 7)
        #expect(table.layout(width: nil)[0].width == Self.row.name.count)
    }

    @Test(arguments: [50, 60, 80, 100]) func linesAreAsWideAsTheTerminal(_ width: Int) {
        let table = TopTable(bindings: [Self.row])
        let layout = table.layout(width: width)
        #expect(table.line(table.rows[0], layout).map(\.text).joined().count == width)
        #expect(table.header(layout, sorted: 1).map(\.text).joined().count == width)
    }

    @Test(arguments: [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "a"), ("abcd", 0, "")])
    func longTextIsCut(_ text: String, _ width: Int, _ cut: String) { #expect(TopTable.cut(text, width) == cut) }

    @Test func namesCannotMoveTheCursor() {
        #expect(TopTable.shown("a\u{1B}[2J\nb\u{9B}") == "a?[2J?b?")
    }
}
