/// Metrics as a scraper reads them, in one of two text formats.
struct MetricsText {
    private(set) var bytes: [UInt8] = []
    private let format: Format

    enum Format {
        /// The text format of Prometheus, version 0.0.4.
        case prometheus
        /// OpenMetrics 1.0.0.
        case openMetrics

        var contentType: StaticString {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    enum Kind: String {
        case counter, gauge, histogram, info
    }

    typealias Labels = [(name: StaticString, value: String)]

    init(_ format: Format) {
        self.format = format
    }

    /// Begins a metric family: all samples that follow belong to it, until the next one begins.
    /// - Parameters:
    ///   - name: without the suffix of the kind (`_total`, `_info`), but with that of the unit.
    ///   - help: one sentence.
    mutating func begin(_ name: String, _ kind: Kind, unit: String?, help: String) {
        let shown = format == .prometheus ? name + Self.suffix(kind) : name
        append("# HELP \(shown) \(Self.escaped(help, quotes: format == .openMetrics))\n")
        // The Prometheus format has no info metrics: there they are gauges with the value 1.
        let type = format == .prometheus && kind == .info ? Kind.gauge : kind
        append("# TYPE \(shown) \(type.rawValue)\n")
        if let unit, format == .openMetrics { append("# UNIT \(shown) \(unit)\n") }
    }

    mutating func sample(_ name: String, _ kind: Kind, _ labels: Labels, _ value: String) {
        line(name + Self.suffix(kind), labels, value)
    }

    /// - Parameters:
    ///   - bounds: upper bounds in nanoseconds, without the top bucket.
    ///   - counts: how many values are in each bucket alone, including the top one.
    ///   - exemplars: one for each bucket, or none at all; the Prometheus format has no exemplars.
    mutating func histogram(
        _ name: String, _ labels: Labels, bounds: [UInt64], counts: [UInt64], sum: UInt64,
        exemplars: [Exemplars.Exemplar?] = []
    ) {
        func exemplar(_ bucket: Int) -> Exemplars.Exemplar? { bucket < exemplars.count ? exemplars[bucket] : nil }
        var count: UInt64 = 0
        for (bucket, (bound, inside)) in zip(bounds, counts).enumerated() {
            count += inside
            line(name + "_bucket", labels + [("le", Self.seconds(bound))], "\(count)", exemplar(bucket))
        }
        count += counts.last ?? 0
        line(name + "_bucket", labels + [("le", "+Inf")], "\(count)", exemplar(bounds.count))
        line(name + "_sum", labels, Self.seconds(sum))
        line(name + "_count", labels, "\(count)")
    }

    mutating func end() {
        if format == .openMetrics { append("# EOF\n") }
    }

    private static func suffix(_ kind: Kind) -> String {
        switch kind {
        case .counter: "_total"
        case .info: "_info"
        case .gauge, .histogram: ""
        }
    }

    private mutating func line(
        _ name: String, _ labels: Labels, _ value: String, _ exemplar: Exemplars.Exemplar? = nil
    ) {
        append(name)
        if !labels.isEmpty {
            for (index, label) in labels.enumerated() {
                append(index == 0 ? "{" : ",")
                append("\(label.name)=\"\(Self.escaped(label.value, quotes: true))\"")
            }
            append("}")
        }
        append(" \(value)")
        if let exemplar, format == .openMetrics {
            append(
                " # {trace_id=\"\(exemplar.trace)\"} \(Self.seconds(exemplar.nanoseconds)) \(exemplar.unixSeconds).0")
        }
        append("\n")
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    /// Label values escape `\`, `"` and the line feed; help texts of the Prometheus format leave `"` alone.
    static func escaped(_ text: String, quotes: Bool) -> String {
        let isPlain = !text.utf8.contains { [0x5C, 0x22, 0x0A].contains($0) }
        if isPlain { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Nanoseconds as seconds: digits, a point and digits, which both formats accept.
    static func seconds(_ nanoseconds: UInt64) -> String {
        var fraction = "\(nanoseconds % 1_000_000_000)"
        fraction = String(repeating: "0", count: 9 - fraction.utf8.count) + fraction
        while fraction.utf8.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(nanoseconds / 1_000_000_000).\(fraction)"
    }
}
