/// A line of the screen, in pieces of different styles.
struct TopLine {
    /// ECMA-48 §8.3: CUP, EL, ED and SGR.
    static let home = "\u{1B}[H"
    static let clearToEnd = "\u{1B}[K"
    static let clearBelow = "\u{1B}[J"

    private var cells: [TopTable.Cell] = []
    private var isReversed = false

    init() {}

    init(_ cells: [TopTable.Cell], isReversed: Bool = false) {
        self.cells = cells
        self.isReversed = isReversed
    }

    init(_ text: String, _ tone: TopTable.Tone = .plain) {
        cells = [TopTable.Cell(text: text, tone: tone)]
    }

    mutating func append(_ text: String, _ tone: TopTable.Tone = .plain) {
        cells.append(TopTable.Cell(text: text, tone: tone))
    }

    /// The text of at most so many columns.
    func text(width: Int, isColoured: Bool) -> String {
        var left = width
        var text = ""
        for cell in cells where left > 0 {
            let shown = TopTable.cut(cell.text, left)
            left -= shown.count
            text += isReversed ? shown : Self.paint(shown, cell.tone, isColoured)
        }
        guard isReversed else { return text }
        return "\u{1B}[7m" + text + String(repeating: " ", count: left) + "\u{1B}[0m"
    }

    private static func paint(_ text: String, _ tone: TopTable.Tone, _ isColoured: Bool) -> String {
        switch tone {
        case .plain: text
        case .bold: "\u{1B}[1m\(text)\u{1B}[0m"
        case .red: "\u{1B}[\(isColoured ? "1;31" : "1")m\(text)\u{1B}[0m"
        case .yellow: "\u{1B}[\(isColoured ? "1;33" : "1")m\(text)\u{1B}[0m"
        }
    }
}
