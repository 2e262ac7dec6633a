import SluiceContract
import SluiceRules

/// Rates of the configuration: `100/s`, `5000/h burst 50`, `1/10s`.
enum RateNotation {
    static let shape = Shape.text(pattern: "^[0-9]+/[0-9]*(ms|s|m|h|d)( burst [0-9]+)?$")

    static func read(_ node: SourceNode, _ context: ReadingContext) -> RateLimit? {
        guard let text = node.text, let rate = parse(text) else {
            context.findings.mistake(
                at: node.place, "\(node.kind) where a rate is wanted",
                expected: "requests in a time, such as 100/s, 5000/h or 100/s burst 20",
                suggestion: node.text.flatMap(nearest).map { .didYouMean($0) })
            return nil
        }
        return rate
    }

    /// A suggestion for a malformed rate: `10`, `10rps`, `10/min`, `10 per hour`.
    static func nearest(_ text: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return nil }
        switch text.dropFirst(digits.count).lowercased().filter({ $0 != " " && $0 != "/" }) {
        case "", "rps", "r", "s", "sec", "second", "persecond": return "\(digits)/s"
        case "rpm", "m", "min", "minute", "perminute": return "\(digits)/m"
        case "h", "hour", "perhour": return "\(digits)/h"
        case "d", "day", "perday": return "\(digits)/d"
        default: return nil
        }
    }

    static func parse(_ text: String) -> RateLimit? {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 1 || words.count == 3 && words[1] == "burst", let slash = words[0].firstIndex(of: "/"),
            let count = HostPort.decimal(words[0][..<slash]), RateLimit.counts.contains(count)
        else { return nil }
        let unit = String(words[0][words[0].index(after: slash)...])
        let isBare = unit.utf8.first.map { !$0.isDigit } ?? true
        guard let period = Quantity.duration(isBare ? "1" + unit : unit), period > .zero else { return nil }
        if words.count == 1 { return RateLimit(count, per: period) }
        guard let burst = HostPort.decimal(words[2][...]), RateLimit.counts.contains(burst) else { return nil }
        return RateLimit(count, per: period, burst: burst)
    }
}

extension RateLimit: SettingNotation {
    static var shape: Shape { RateNotation.shape }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<RateLimit>? {
        RateNotation.read(node, context).map { .value($0) }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.key(name, description)
    }
}
