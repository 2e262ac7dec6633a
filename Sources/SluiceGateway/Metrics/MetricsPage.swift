/// All metrics, as they were at the time of the request. Written in steps, so that thousands of bindings delay no other
/// request.
struct MetricsPage {
    private var families: [MetricFamily]
    private var text: MetricsText
    private var family = 0
    private var row = 0
    /// The most rows that are written in one turn of the loop.
    private static let rowsPerStep = 128
    /// Roughly the most bytes of one turn: the row of a histogram is long.
    private static let bytesPerStep = 32 << 10
    let contentType: StaticString

    init(_ families: [MetricFamily], as format: MetricsText.Format) {
        contentType = format.contentType
        self.families = families
        text = MetricsText(format)
    }

    /// - Returns: whether there is more to write.
    mutating func step() -> Bool {
        var left = Self.rowsPerStep
        let end = text.bytes.count + Self.bytesPerStep
        while family < families.count {
            let current = families[family]
            while row < current.rows {
                if left == 0 || text.bytes.count >= end { return true }
                // Begins the family only once its first row is written in this turn; otherwise it could begin twice.
                if row == 0 { text.begin(current.name, current.kind, unit: current.unit, help: current.help) }
                current.write(row, &text)
                row += 1
                left -= 1
            }
            family += 1
            row = 0
        }
        text.end()
        return false
    }

    /// The text, once there is no more to write.
    var bytes: [UInt8] { text.bytes }
}
