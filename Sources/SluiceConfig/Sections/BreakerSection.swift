import SluiceContract
import SluiceRules

/// `breaker:` of an upstream; all numbers are per endpoint and event loop.
enum BreakerSection {
    static let section = Section(
        name: "upstream.breaker", summary: "When an endpoint that fails is left alone for a while",
        keys: BreakerPolicy.keys)
}

extension BreakerPolicy: SettingNotation {
    static var shape: Shape { .either([.section(BreakerSection.section), .choice(["false"])]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<BreakerPolicy>? {
        if node.isOff { return .off }
        guard node.entries != nil || node.isNull else {
            context.findings.mistake(
                at: node.place, "\(node.kind) is no breaker", expected: "a mapping such as {failures: 5}, or false")
            return nil
        }
        return Fields.layer(node, BreakerSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self, except: refuses ? ["resting-max"] : []) }
    }
}
