/// One metric with all its samples, which are written in steps.
struct MetricFamily {
    let name: String
    let kind: MetricsText.Kind
    let unit: String?
    let help: String
    let rows: Int
    /// Writes the samples of one row: those of one binding, upstream or loop.
    let write: (_ row: Int, _ out: inout MetricsText) -> Void

    init(
        _ name: String, _ kind: MetricsText.Kind, unit: String? = nil, _ help: String, rows: Int,
        _ write: @escaping (_ row: Int, _ out: inout MetricsText) -> Void
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.help = help
        self.rows = rows
        self.write = write
    }

    /// A family of a single number.
    init(
        _ name: String, _ kind: MetricsText.Kind, unit: String? = nil, _ help: String, labels: MetricsText.Labels = [],
        _ value: String
    ) {
        self.init(name, kind, unit: unit, help, rows: 1) { _, out in out.sample(name, kind, labels, value) }
    }
}
