import SluiceContract
import SluiceRules

/// Readers of single values: each reports a mistake and then returns nil.
extension ReadingContext {
    func text(_ node: SourceNode, what: String = "a text") -> String? {
        guard let text = node.text, !node.isNull else {
            findings.mistake(at: node.place, "\(node.kind) where \(what) is wanted", expected: what)
            return nil
        }
        return isFilledIn(text, node) ? text : nil
    }

    /// Refuses text with variables such as `${NAME}`, which other programs would replace: here it would be taken
    /// literally.
    func isFilledIn(_ text: String, _ node: SourceNode) -> Bool {
        guard let variable = Self.variable(in: text) else { return true }
        findings.mistake(
            at: node.place, "variables such as '\(variable.text)' are not filled in", expected: "the text itself",
            suggestion: .advice("secrets alone may come from one: {env: \(variable.name)}"))
        return false
    }

    /// The first `${NAME}`, or all of the text where it is `$NAME`.
    static func variable(in text: String) -> (text: Substring, name: Substring)? {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return nil }
        if let name = text.hasPrefix("$") ? text.dropFirst() : nil, let first = name.utf8.first, !first.isDigit,
            name.utf8.allSatisfy({ (0x41...0x5a).contains($0) || $0.isDigit || $0 == UInt8(ascii: "_") })
        {
            return (text[...], name)
        }
        guard let open = text.firstRange(of: "${"), let close = text[open.upperBound...].firstIndex(of: "}") else {
            return nil
        }
        let name = text[open.upperBound..<close].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return name.isEmpty ? nil : (text[open.lowerBound...close], name)
    }

    func flag(_ node: SourceNode) -> Bool? {
        switch node.text {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default:
            let meant: String? =
                switch node.text?.lowercased() {
                case "true", "yes", "on", "y", "1": "true"
                case "false", "no", "off", "n", "0": "false"
                default: nil
                }
            findings.mistake(
                at: node.place, "\(node.kind) where a switch is wanted", expected: "true or false",
                suggestion: meant.map { .didYouMean($0) })
            return nil
        }
    }

    /// A value of a simple kind; whether it is within its range is checked later, with all other values.
    func value(_ node: SourceNode, _ kind: SettingKind) -> SettingValue? {
        switch kind {
        case .size: size(node).map { .number($0) }
        case .count(let range): integer(node, range).map { .number($0) }
        case .percent(let range): percent(node, range).map { .number($0) }
        case .duration: duration(node).map { .duration($0) }
        case .flag: flag(node).map { .flag($0) }
        case .choice(let words): choice(node, among: words).map { .word($0) }
        case .words(let words): all(node) { choice($0, among: words) }.map { .words($0) }
        case .texts(let what): all(node) { text($0, what: what) }.map { .words($0) }
        case .text(let what): text(node, what: what).map { .word($0) }
        case .part: nil
        }
    }

    /// The values of all items of a list; nil where one of them is wrong.
    func all<Value>(_ node: SourceNode, _ read: (SourceNode) -> Value?) -> [Value]? {
        let items = items(node)
        let values = items.compactMap(read)
        return values.count == items.count ? values : nil
    }

    func integer(_ node: SourceNode, _ range: ClosedRange<Int>) -> Int? {
        guard let value = node.text.flatMap({ Int($0) }) else {
            findings.mistake(
                at: node.place, "\(node.kind) where a number is wanted", expected: Quantity.expected(range))
            return nil
        }
        return value
    }

    func duration(_ node: SourceNode) -> Duration? {
        guard let text = node.text, let duration = Quantity.duration(text) else {
            findings.mistake(
                at: node.place, "\(node.kind) where a duration is wanted",
                expected: "a number with a unit: 250ms, 10s, 5m, 1h, 1d",
                suggestion: node.text.flatMap(Quantity.nearestDuration).map { .didYouMean($0) })
            return nil
        }
        return duration
    }

    private func percent(_ node: SourceNode, _ range: ClosedRange<Int>) -> Int? {
        guard let percent = node.text.flatMap(Quantity.percent) else {
            findings.mistake(
                at: node.place, "\(node.kind) where a share is wanted", expected: Quantity.expectedPercent(range),
                suggestion: node.text.flatMap { Int($0) }.flatMap {
                    range.contains($0) ? .didYouMean("\($0)%") : nil
                })
            return nil
        }
        return percent
    }

    func size(_ node: SourceNode) -> Int? {
        guard let text = node.text, let bytes = Quantity.bytes(text) else {
            findings.mistake(
                at: node.place, "\(node.kind) where a size is wanted",
                expected: "a number of bytes with a unit: 512B, 64KiB, 1MiB, 4GiB",
                suggestion: node.text.flatMap(Quantity.nearestSize).map { .didYouMean($0) })
            return nil
        }
        return bytes
    }

    /// One of a closed set of words.
    func choice<Value: Choice>(_ node: SourceNode, of type: Value.Type = Value.self) -> Value? {
        choice(node, among: Value.allCases.map(\.rawValue)).flatMap { Value(rawValue: $0) }
    }

    func choice(_ node: SourceNode, among known: [String]) -> String? {
        guard let text = node.text, known.contains(text) else {
            let suggestion =
                node.text.flatMap { ForeignKey.choice($0, among: known) }.map { .didYouMean($0) }
                ?? Nearest.suggestion(for: node.text ?? "", among: known)
            // All of many words would hide the one that was meant.
            let isLong = known.count > Self.listedChoicesMax && suggestion != nil
            findings.mistake(
                at: node.place, "\(node.kind) is not known here",
                expected: isLong ? nil : known.joined(separator: ", "), suggestion: suggestion)
            return nil
        }
        return text
    }

    private static let listedChoicesMax = 12

    /// A list, or one item without the brackets.
    func items(_ node: SourceNode) -> [SourceNode] {
        node.items ?? [node]
    }
}
