/// Figures for people, in few columns.
enum FigureText {
    /// `0.25`, `12.5`, `840`, `1.2k`, `31M`.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        for (unit, factor) in [("G", 1e9), ("M", 1e6), ("k", 1e3)] where value >= factor * 9.995 {
            return decimal(value / factor, value / factor < 100 ? 1 : 0) + unit
        }
        return decimal(value, value < 10 ? 2 : value < 100 ? 1 : 0)
    }

    /// A count, without a point.
    static func count(_ value: Double) -> String { value < 1e6 ? decimal(value, 0) : number(value) }

    /// A time in seconds: `450 µs`, `12.5 ms`, `1.2 s`.
    static func time(_ seconds: Double?) -> String {
        guard let seconds else { return "-" }
        if seconds < 0.000_999_5 { return decimal(seconds * 1e6, 0) + " µs" }
        if seconds < 0.999_5 { return decimal(seconds * 1e3, seconds < 0.099_95 ? 1 : 0) + " ms" }
        return decimal(seconds, seconds < 99.95 ? 1 : 0) + " s"
    }

    /// A share of 1: `0 %`, `0.25 %`, `12.5 %`, `100 %`.
    static func share(_ value: Double?) -> String {
        guard let value else { return "-" }
        let percent = value * 100
        if percent == 0 || percent >= 99.95 { return decimal(percent, 0) + " %" }
        return decimal(percent, percent < 1 ? 2 : 1) + " %"
    }

    static func bytes(_ value: Double) -> String {
        for (unit, factor) in [("GiB", 1073741824.0), ("MiB", 1048576.0), ("KiB", 1024.0)] where value >= factor {
            return decimal(value / factor, value / factor < 10 ? 1 : 0) + " " + unit
        }
        return decimal(value, 0) + " B"
    }

    /// `3 d 4 h`, `2 h 5 min`, `40 s`.
    static func duration(_ seconds: Double) -> String {
        let whole = Int(bounded(seconds))
        if whole >= 86_400 { return "\(whole / 86_400) d \(whole % 86_400 / 3600) h" }
        if whole >= 3600 { return "\(whole / 3600) h \(whole % 3600 / 60) min" }
        return whole >= 60 ? "\(whole / 60) min" : "\(whole) s"
    }

    /// Limits a figure to what fits into a whole number: it may come from another version, or not from a daemon at all.
    private static func bounded(_ value: Double) -> Double { value.isNaN ? 0 : min(max(0, value), 1e15) }

    private static func decimal(_ value: Double, _ digits: Int) -> String {
        let factor = [1.0, 10.0, 100.0][digits]
        let scaled = Int((bounded(value) * factor).rounded())
        if digits == 0 { return String(scaled) }
        let rest = String(scaled % Int(factor))
        return "\(scaled / Int(factor))." + String(repeating: "0", count: digits - rest.count) + rest
    }
}
