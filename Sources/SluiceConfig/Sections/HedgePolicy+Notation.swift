import SluiceContract
import SluiceRules

/// `hedge:` of an upstream or binding.
extension HedgePolicy: SettingNotation {
    static var shape: Shape { .either([.duration, .text(pattern: "^p[1-9][0-9]$"), .choice(["false"])]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<HedgePolicy>? {
        if node.isOff { return .off }
        let text = node.text ?? ""
        if text.hasPrefix("p"), let percent = Int(text.dropFirst()) { return .value(.percentile(percent)) }
        if let wait = Quantity.duration(text) { return .value(.after(wait)) }
        context.findings.mistake(
            at: node.place, "\(node.kind) does not say when to hedge",
            expected: "a percentile such as p95, a duration such as 50ms, or false",
            suggestion: Int(text).flatMap { number in
                switch number {
                case 10...99: .didYouMean("p\(number)")
                case 1...: .didYouMean("\(number)ms")
                default: nil
                }
            })
        return nil
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.key(name, text)
    }
}
