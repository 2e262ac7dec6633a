import SluiceContract

/// The screen of `sluice top`, independent of a terminal: facts in, frames out.
public struct TopScreen: Sendable {
    public enum Fact: Sendable {
        /// The daemon has sent its metrics.
        case told(FigureSnapshot)
        /// The daemon has sent no metrics, for this reason.
        case failed(String)
        case pressed(TerminalKey)
        case resized(columns: Int, rows: Int)
    }

    private enum Input: Equatable {
        case keys
        case filter
    }

    private enum Watch {
        case running
        /// The table is not updated.
        case paused
    }

    private static let filterMax = 100

    private(set) var isOver = false
    private var columns = 80
    private var rows = 24
    private let isColoured: Bool
    private var latest: FigureSnapshot?
    private var table: FigureTable?
    private var failure: String?
    private var input = Input.keys
    private var watch = Watch.running
    private var filter = ""
    private var sortColumn = 1
    private var isDescending = true
    private var selected: String?
    /// The first row that is shown.
    private var top = 0

    /// - Parameter isColoured: whether colours may be used, and not only bold and reverse.
    public init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    /// - Returns: whether the program goes on.
    public mutating func take(_ fact: Fact) -> Bool {
        switch fact {
        case .told(let snapshot):
            failure = nil
            if case .running = watch { table = FigureTable(snapshot, since: latest) }
            latest = snapshot
        case .failed(let reason): failure = reason
        case .resized(let columns, let rows):
            self.columns = max(columns, 1)
            self.rows = max(rows, 1)
        case .pressed(let key):
            if input == .filter { edit(key) } else { press(key) }
        }
        scroll()
        return !isOver
    }

    // MARK: - Keys

    private mutating func press(_ key: TerminalKey) {
        switch key {
        case .character("q"): isOver = true
        case .character("/"): input = .filter
        case .character(" "):
            if case .running = watch { watch = .paused } else { watch = .running }
        case .character("r"), .enter: isDescending.toggle()
        case .escape: filter = ""
        case .left: sort(by: sortColumn - 1)
        case .right: sort(by: sortColumn + 1)
        case .up: select(-1)
        case .down: select(1)
        case .pageUp: select(-max(1, bindingRows - 1))
        case .pageDown: select(max(1, bindingRows - 1))
        case .home: select(-shownBindings.count)
        case .end: select(shownBindings.count)
        case .backspace, .character: break
        }
    }

    private mutating func edit(_ key: TerminalKey) {
        switch key {
        case .enter: input = .keys
        case .escape:
            filter = ""
            input = .keys
        case .backspace: if !filter.isEmpty { filter.removeLast() }
        case .character(let character): if filter.count < Self.filterMax { filter.append(character) }
        default: break
        }
    }

    private mutating func sort(by column: Int) {
        guard TopTable.bindings.indices.contains(column) else { return }
        sortColumn = column
        // Names ascending, figures descending.
        isDescending = column != 0
    }

    private mutating func select(_ step: Int) {
        let names = shownBindings.map(\.name)
        guard !names.isEmpty else { return }
        let now = selected.flatMap { names.firstIndex(of: $0) }
        let next = (now ?? (step > 0 ? -1 : names.count)) + step
        selected = names[min(max(next, 0), names.count - 1)]
    }

    // MARK: - What is shown

    /// The bindings that match the filter, in their order.
    private var shownBindings: [FigureTable.Row] {
        let wanted = filter.lowercased()
        let found = (table?.bindings ?? []).filter { wanted.isEmpty || $0.name.lowercased().contains(wanted) }
        if sortColumn == 0 { return found.sorted { isDescending ? $0.name > $1.name : $0.name < $1.name } }
        return found.sorted { one, other in
            let (left, right) = (value(one), value(other))
            if left == right { return one.name < other.name }
            return isDescending ? left > right : left < right
        }
    }

    private func value(_ row: FigureTable.Row) -> Double {
        switch sortColumn {
        case 1: row.rate
        case 2: row.median ?? -1
        case 3: row.slow ?? -1
        case 4: row.errors ?? -1
        case 5: row.hits ?? -1
        default: row.total
        }
    }

    private var shownUpstreams: [FigureTable.Row] { table?.upstreams ?? [] }

    /// Two lines, a blank line and the header above the bindings, and a line below.
    private static let framing = 5

    /// Rows of upstreams: with a blank line and a header, at most a third of the screen.
    private var upstreamRows: Int {
        let most = max(0, rows / 3 - 2)
        return rows < 12 ? 0 : min(shownUpstreams.count, most)
    }

    private var bindingRows: Int { max(0, rows - Self.framing - (upstreamRows > 0 ? upstreamRows + 2 : 0)) }

    /// Scrolls so that the selected row is visible.
    private mutating func scroll() {
        let names = shownBindings.map(\.name)
        let place = selected.flatMap { names.firstIndex(of: $0) }
        if let place, place < top { top = place }
        if let place, place >= top + bindingRows { top = place - bindingRows + 1 }
        top = min(top, max(0, names.count - bindingRows))
    }

    // MARK: - The frame

    /// The whole screen, to be written at once. Lines are overwritten without clearing them first, so that nothing
    /// flickers.
    public var frame: [UInt8] {
        let text = lines.prefix(rows).map { $0.text(width: columns, isColoured: isColoured) + TopLine.clearToEnd }
        return Array((TopLine.home + text.joined(separator: "\r\n") + TopLine.clearBelow).utf8)
    }

    private var lines: [TopLine] {
        var lines = [summary, second, TopLine()]
        let bindings = shownBindings
        let bindingTable = TopTable(bindings: bindings)
        let layout = bindingTable.layout(width: columns)
        lines.append(TopLine(bindingTable.header(layout, sorted: sortColumn, isDescending: isDescending)))
        for index in top..<max(top, min(bindings.count, top + bindingRows)) {
            let cells = bindingTable.line(bindingTable.rows[index], layout)
            lines.append(TopLine(cells, isReversed: bindings[index].name == selected))
        }
        if upstreamRows > 0 {
            while lines.count < Self.framing - 1 + bindingRows { lines.append(TopLine()) }
            let upstreamTable = TopTable(upstreams: Array(shownUpstreams.prefix(upstreamRows)))
            let layout = upstreamTable.layout(width: columns)
            lines += [TopLine(), TopLine(upstreamTable.header(layout))]
            lines += upstreamTable.rows.map { TopLine(upstreamTable.line($0, layout)) }
        }
        while lines.count < rows - 1 { lines.append(TopLine()) }
        lines = Array(lines.prefix(max(1, rows - 1)))
        lines.append(prompt)
        return lines
    }

    private var summary: TopLine {
        guard let latest, let table else {
            return TopLine("sluice  waiting for the daemon", .bold)
        }
        var parts = [
            "up \(FigureText.duration(latest.uptime))", "\(FigureText.number(table.all.rate)) requests/s",
            "\(FigureText.share(table.all.errors)) errors", "\(FigureText.share(table.all.hits)) hits",
        ]
        if table.isSinceStart { parts.append("since the start") }
        var line = TopLine("sluice \(TopTable.shown(latest.version))", .bold)
        if case .paused = watch { line.append("  PAUSED", .yellow) }
        line.append("  " + parts.joined(separator: "  "))
        return line
    }

    private var second: TopLine {
        if let failure { return TopLine(TopTable.shown(failure), .red) }
        guard let latest else { return TopLine() }
        let parts = [
            "\(FigureText.count(latest.exchanges)) under way", "\(FigureText.count(latest.connections)) clients",
            "\(FigureText.count(latest.entries)) stored (\(FigureText.bytes(latest.cacheBytes)))",
            "\(FigureText.count(latest.drift)) drifted",
        ]
        return TopLine(parts.joined(separator: "  "))
    }

    private var prompt: TopLine {
        if input == .filter { return TopLine("/\(TopTable.shown(filter))▏", .bold) }
        let hint = "↑↓ select  ←→ sort  r reverse  / filter  space pause  q quit"
        if let selected { return TopLine(TopTable.shown(selected) + (columns < 60 ? "" : "   q quit")) }
        return TopLine(filter.isEmpty ? hint : "filter: \(TopTable.shown(filter)) (Esc ends it)  q quit")
    }

    // MARK: - Once

    /// All bindings and upstreams as a table of any length, for scripts, with the figures since the daemon's start.
    public static func table(_ snapshot: FigureSnapshot) -> String {
        let table = FigureTable(snapshot, since: nil)
        let tables = [TopTable(bindings: table.bindings), TopTable(upstreams: table.upstreams)]
        return tables.map { table in
            let layout = table.layout(width: nil)
            let lines = [table.header(layout)] + table.rows.map { table.line($0, layout) }
            return lines.map { cells in
                let line = cells.map(\.text).joined()
                return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
            }.joined()
        }.joined(separator: "\n")
    }
}
