import SluiceContract
import SluiceRules

/// `retry:` of an upstream or binding.
enum RetrySection {
    static let section = Section(
        name: "retry", summary: "When a request that failed is sent once more", keys: RetryPolicy.keys)
}

extension RetryPolicy: SettingNotation {
    static var shape: Shape { .either([.section(RetrySection.section), .choice(["false"])]) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<RetryPolicy>? {
        if node.isOff { return .value(.off) }
        guard node.entries != nil || node.isNull else {
            context.findings.mistake(
                at: node.place, "\(node.kind) is no retry policy",
                expected: "a mapping such as {attempts: 3}, or false",
                suggestion: node.text.flatMap { Int($0) }.map { .didYouMean("{attempts: \($0)}") })
            return nil
        }
        return Fields.layer(node, RetrySection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        if self == .off { return writer.raw(name, "false") }
        writer.mapping(name) { $0.settings(of: self) }
    }
}

/// `on:` of a retry policy.
extension Set: SettingNotation where Element == RetryPolicy.Cause {
    private static var words: [String] { RetryPolicy.Cause.words.map(\.name) }

    static var shape: Shape { .oneOrMany(.either([.choice(words), .integer(RetryPolicy.statuses)])) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<Set>? {
        context.all(node) { cause($0, context) }.map { .value(Set($0)) }
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.raw(name, "[\(RetryPolicy.text(self))]")
    }

    private static func cause(_ node: SourceNode, _ context: ReadingContext) -> RetryPolicy.Cause? {
        if let known = RetryPolicy.Cause.words.first(where: { $0.name == node.text }) { return known.cause }
        if let status = node.text.flatMap({ Int($0) }), RetryPolicy.statuses.contains(status) { return .status(status) }
        context.findings.mistake(
            at: node.place, "\(node.kind) is nothing to retry on",
            expected: words.joined(separator: ", ") + ", or a status from 400 to 599",
            suggestion: Nearest.suggestion(for: node.text ?? "", among: words))
        return nil
    }
}

/// `retry-budget:` of an upstream.
enum RetryBudgetSection {
    static let section = Section(
        name: "upstream.retry-budget", summary: "How much retries and hedges may add to the load of the API",
        keys: RetryBudgetPolicy.keys)
}

extension RetryBudgetPolicy: SettingNotation {
    static var shape: Shape { .section(RetryBudgetSection.section) }

    static func saying(_ node: SourceNode, _ context: ReadingContext) -> Saying<RetryBudgetPolicy>? {
        Fields.layer(node, RetryBudgetSection.section, context)
    }

    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { $0.settings(of: self) }
    }
}
