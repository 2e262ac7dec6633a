import SluiceContract

/// Readers of single values: each reports what is wrong and gives nil then.
extension Desk {
    func text(_ node: SourceNode, what: String = "a text") -> String? {
        guard let text = node.text, !node.isNull else {
            findings.mistake(at: node.place, "\(node.kind) where \(what) is wanted", expected: what)
            return nil
        }
        return isFilledIn(text, node) ? text : nil
    }

    /// Other programs fill variables in; here such a text would be taken as it is written.
    func isFilledIn(_ text: String, _ node: SourceNode) -> Bool {
        guard let variable = Self.variable(in: text) else { return true }
        findings.mistake(
            at: node.place, "variables such as '\(variable.text)' are not filled in", expected: "the text itself",
            suggestion: .advice("a token may come from one: {env: \(variable.name)}"))
        return false
    }

    /// The first `${NAME}`, or all of the text where it is `$NAME`.
    private static func variable(in text: String) -> (text: Substring, name: Substring)? {
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

    func integer(_ node: SourceNode, in range: ClosedRange<Int>) -> Int? {
        guard let text = node.text, let value = Int(text), range.contains(value) else {
            let expected =
                range.upperBound == .max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)"
            let number = node.text.flatMap { Int($0) }
            findings.mistake(
                at: node.place, number.map { "\($0) is out of range" } ?? "\(node.kind) where a number is wanted",
                expected: expected)
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

    /// A duration that makes no sense as nothing.
    func wait(_ node: SourceNode) -> Duration? {
        guard let duration = duration(node) else { return nil }
        guard duration > .zero else {
            findings.mistake(at: node.place, "a wait of nothing never succeeds", expected: "more than 0")
            return nil
        }
        return duration
    }

    /// One of those that work.
    func wait(_ node: SourceNode, in range: ClosedRange<Duration>) -> Duration? {
        guard let duration = wait(node) else { return nil }
        guard range.contains(duration) else {
            outOfRange(node, "a duration", Quantity.text(range.lowerBound), Quantity.text(range.upperBound))
            return nil
        }
        return duration
    }

    private func outOfRange(_ node: SourceNode, _ noun: String, _ least: String, _ most: String) {
        findings.mistake(
            at: node.place, "\(node.text ?? node.kind) is out of range", expected: "\(noun) from \(least) to \(most)")
    }

    func percent(_ node: SourceNode, in range: ClosedRange<Int>) -> Int? {
        guard let text = node.text, let percent = Quantity.percent(text), range.contains(percent) else {
            findings.mistake(
                at: node.place, "\(node.kind) where a share is wanted",
                expected: "a percentage from \(range.lowerBound)% to \(range.upperBound)%",
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

    /// One of those that work.
    func size(_ node: SourceNode, in range: ClosedRange<Int>) -> Int? {
        guard let bytes = size(node) else { return nil }
        guard range.contains(bytes) else {
            outOfRange(node, "a size", Quantity.text(bytes: range.lowerBound), Quantity.text(bytes: range.upperBound))
            return nil
        }
        return bytes
    }

    /// One of a closed set of words.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: SourceNode, of type: Choice.Type = Choice.self
    ) -> Choice? {
        let known = Choice.allCases.map(\.rawValue)
        guard let text = node.text, let choice = Choice(rawValue: text) else {
            findings.mistake(
                at: node.place, "\(node.kind) is not known here", expected: known.joined(separator: ", "),
                suggestion: node.text.flatMap { ForeignKey.choice($0, among: known) }.map { .didYouMean($0) }
                    ?? Nearest.suggestion(for: node.text ?? "", among: known))
            return nil
        }
        return choice
    }

    /// A list, or one item without the brackets.
    func items(_ node: SourceNode) -> [SourceNode] {
        node.items ?? [node]
    }
}
