internal import SluiceContract
internal import SluiceHTTP

/// The local target of one request for a part, and what its placeholders are filled with.
struct PartTarget {
    let bytes: [UInt8]
    /// Where the value of each of the route's placeholders is in the path.
    let captures: [Range<Int>]
    /// Whether a placeholder is empty, although its value does not come from the client.
    let lacksText: Bool

    /// - Returns: nil where a required value is absent.
    init?(_ part: PartPlan, element: [PartValue], in answer: ComposedAnswer) {
        var out: [UInt8] = []
        var captures: [Range<Int>] = []
        var (start, isClients, lacksText) = (0, false, false)
        for piece in part.path {
            switch piece {
            case .text(let text): out += text
            case .captureBegin: (start, isClients) = (out.count, false)
            case .captureEnd:
                captures.append(start..<out.count)
                if start == out.count, !isClients { lacksText = true }
            case .value(let source):
                if case .parameter = source { isClients = true }
                let texts = answer.texts(of: source, element: element)
                guard texts.count == 1 else { return nil }
                out += PercentEncoding.encoded(texts[0])
            }
        }
        var separator = UInt8(ascii: "?")
        for pair in part.query {
            guard let values = Self.values(pair, element, answer) else { return nil }
            for value in values {
                out.append(separator)
                separator = UInt8(ascii: "&")
                out += pair.name + [UInt8(ascii: "=")] + value
            }
        }
        self.captures = captures
        self.lacksText = lacksText
        bytes = out
    }

    /// The percent-encoded values: none where the only value is absent, several where it is a list.
    private static func values(_ pair: PartPlan.Pair, _ element: [PartValue], _ answer: ComposedAnswer) -> [[UInt8]]? {
        if pair.value.count == 1, case .value(let source) = pair.value[0] {
            let texts = answer.texts(of: source, element: element).map { PercentEncoding.encoded($0) }
            return pair.isComma && texts.count > 1 ? [Array(texts.joined(separator: [UInt8(ascii: ",")]))] : texts
        }
        var text: [UInt8] = []
        for piece in pair.value {
            switch piece {
            case .text(let literal): text += literal
            case .value(let source):
                let texts = answer.texts(of: source, element: element)
                guard texts.count == 1 else { return nil }
                text += PercentEncoding.encoded(texts[0])
            case .captureBegin, .captureEnd: break
            }
        }
        return [text]
    }
}

extension ComposedAnswer {
    /// The texts of a value for a target.
    /// - Parameter element: values of the element that is requested.
    func texts(of source: PartPlan.ValueSource, element: [PartValue]) -> [[UInt8]] {
        switch source {
        case .parameter(let index):
            asked.values.entries.filter { $0.parameter == index }.map { Array(asked.values.bytes($0)) }
        case .slice(let part, let slice): parts[part].values.isEmpty ? [] : parts[part].values[slice].texts
        case .element(let slice): element[slice].texts
        case .request: []
        }
    }
}
