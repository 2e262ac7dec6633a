/// Rows for people: columns as wide as they have to be, two blanks between them.
struct TextTable {
    private var rows: [[String]]
    /// Columns of numbers, which stand on the right.
    private let numbers: Set<Int>

    init(_ header: [String], numbers: Set<Int> = []) {
        rows = [header]
        self.numbers = numbers
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        var widths = rows[0].map(\.count)
        for row in rows { widths = zip(widths, row).map { max($0, $1.count) } }
        return rows.enumerated().map { index, row in
            let cells = row.enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                return numbers.contains(column) ? blanks + cell : cell + blanks
            }
            let line = String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            return index == 0 ? Style.output.bold(line) : line
        }.joined(separator: "\n")
    }
}
