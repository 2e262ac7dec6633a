import SluiceContract

/// `hedge:` of an upstream or binding.
enum HedgeSection {
    static let shape = Shape.either([.duration, .text(pattern: "^p[1-9][0-9]$"), .choice(["false"])])

    /// - Returns: nil where the node is wrong; `.some(nil)` where `hedge: false` switches an inherited one off.
    static func read(_ node: SourceNode, _ desk: Desk) -> HedgePolicy?? {
        let text = node.text ?? ""
        if ["false", "no", "off"].contains(text) { return .some(nil) }
        if text.hasPrefix("p"), let percent = Int(text.dropFirst()), (10...99).contains(percent) {
            return .percentile(percent)
        }
        if let wait = Quantity.duration(text), wait > .zero { return .after(wait) }
        desk.findings.mistake(
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

    static func text(_ policy: HedgePolicy) -> String {
        switch policy {
        case .after(let wait): Quantity.text(wait)
        case .percentile(let percent): "p\(percent)"
        }
    }
}
