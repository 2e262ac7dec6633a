import Testing

/// docs/HERITAGE.md and the tests that it names are in step.
@Suite struct HeritageTests {
    private static let page = (try? SourceFile.text("docs/HERITAGE.md")) ?? ""

    /// Tests that are named for a row: `r1…`, `p8p9…`.
    private static func isRowName(_ name: Substring) -> Bool {
        name.count > 6 && "rpskq".contains(name.first ?? " ") && name.dropFirst().first?.isNumber == true
            && name.allSatisfy { $0.isLetter || $0.isNumber }
    }

    private static let named = Set(page.split(separator: "`").filter(isRowName))

    private static let written: Set<Substring> = {
        let targets = ["SluiceClientTests", "SluiceCombineTests"]
        let lines = SourceFile.tests.filter { targets.contains($0.target) }.flatMap(\.lines)
        return Set(
            lines.compactMap { line in
                guard let name = line.split(separator: "func ").dropFirst().first?.prefix(while: { $0 != "(" }) else {
                    return nil
                }
                return isRowName(name) ? name : nil
            })
    }()

    @Test func everyRowNamesATest() {
        let rows = Self.page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| row") }
        #expect(rows.count > 50)
        for row in rows {
            #expect(row.split(separator: "`").contains(where: Self.isRowName), "no test in \(row)")
        }
    }

    @Test func whatIsNamedIsThereAndTheOtherWayRound() {
        #expect(Self.named.subtracting(Self.written) == [], "there is no such test")
        #expect(Self.written.subtracting(Self.named) == [], "no row names it")
    }
}
