/// A table on the screen: a name on the left, figures on the right.
struct TopTable {
    enum Tone: Equatable {
        case plain, bold, red, yellow
    }

    struct Cell: Equatable {
        var text: String
        var tone = Tone.plain
    }

    struct Column: Equatable {
        var title: String
        /// The least width; numbers are aligned right.
        var width: Int
        /// Whether the column may be left out where there is no room, the last such column first.
        var isDispensable = false
    }

    let columns: [Column]
    var rows: [[Cell]] = []

    static let bindings = [
        Column(title: "BINDING", width: 16), Column(title: "RATE", width: 7), Column(title: "P50", width: 8),
        Column(title: "P99", width: 8), Column(title: "ERRORS", width: 7),
        Column(title: "HITS", width: 7, isDispensable: true), Column(title: "TOTAL", width: 8, isDispensable: true),
    ]
    static let upstreams = [
        Column(title: "UPSTREAM", width: 16), Column(title: "STATE", width: 9), Column(title: "RATE", width: 7),
        Column(title: "P50", width: 8, isDispensable: true), Column(title: "P99", width: 8),
        Column(title: "FAILED", width: 7), Column(title: "CONNS", width: 5, isDispensable: true),
    ]

    init(bindings rows: [FigureTable.Row]) {
        columns = Self.bindings
        self.rows = rows.map { row in
            [
                Cell(text: Self.shown(row.name)), Cell(text: FigureText.number(row.rate)),
                Cell(text: FigureText.time(row.median)), Cell(text: FigureText.time(row.slow)), Self.errors(row.errors),
                Cell(text: FigureText.share(row.hits)), Cell(text: FigureText.count(row.total)),
            ]
        }
    }

    init(upstreams rows: [FigureTable.Row]) {
        columns = Self.upstreams
        self.rows = rows.map { row in
            [
                Cell(text: Self.shown(row.name)),
                Cell(text: row.state.isEmpty ? "-" : row.state, tone: Self.tone(ofState: row.state)),
                Cell(text: FigureText.number(row.rate)), Cell(text: FigureText.time(row.median)),
                Cell(text: FigureText.time(row.slow)), Self.errors(row.errors),
                Cell(text: FigureText.count(row.connections)),
            ]
        }
    }

    private static func errors(_ share: Double?) -> Cell {
        Cell(text: FigureText.share(share), tone: (share ?? 0) > 0 ? .red : .plain)
    }

    private static func tone(ofState state: String) -> Tone {
        switch state {
        case "well", "": .plain
        case "down", "open": .red
        default: .yellow
        }
    }

    /// Replaces control characters, so that no name can move the cursor.
    static func shown(_ name: String) -> String {
        let isControl = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) }
        return String(String.UnicodeScalarView(name.unicodeScalars.map { isControl($0) ? "?" : $0 }))
    }

    // MARK: - Lines

    /// The columns that are shown, and their widths.
    /// - Parameter width: of a line; nil is unlimited.
    func layout(width: Int?) -> [(column: Int, width: Int)] {
        var shown = Array(columns.indices)
        func needed(_ column: Int) -> Int {
            rows.reduce(max(columns[column].width, columns[column].title.count)) { max($0, $1[column].text.count) }
        }
        guard let width else { return shown.map { ($0, needed($0)) } }
        func taken() -> Int { shown.dropFirst().reduce(0) { $0 + columns[$1].width + 1 } }
        while width - taken() < columns[0].width, let last = shown.last(where: { columns[$0].isDispensable }) {
            shown.removeAll { $0 == last }
        }
        let name = max(1, width - taken())
        return shown.map { ($0, $0 == 0 ? name : columns[$0].width) }
    }

    /// The cells of one line, each padded to the width of its column, with a blank between them.
    func line(_ cells: [Cell], _ layout: [(column: Int, width: Int)]) -> [Cell] {
        layout.map { column, width in
            let text = Self.cut(cells[column].text, width)
            let blanks = String(repeating: " ", count: width - text.count)
            let padded = column == 0 ? text + blanks : " " + blanks + text
            return Cell(text: padded, tone: cells[column].tone)
        }
    }

    /// - Parameter sorted: the column that rows are sorted by.
    func header(_ layout: [(column: Int, width: Int)], sorted: Int? = nil, isDescending: Bool = true) -> [Cell] {
        let titles = columns.enumerated().map { index, column in
            let mark = index == sorted ? (isDescending ? "▼" : "▲") : ""
            return Cell(text: index == 0 ? column.title + mark : mark + column.title, tone: .bold)
        }
        return line(titles, layout)
    }

    static func cut(_ text: String, _ width: Int) -> String {
        if text.count <= width { return text }
        return width < 2 ? String(text.prefix(width)) : text.prefix(width - 1) + "…"
    }
}
