package import SluiceContract

/// A way out of a mistake.
public enum Suggestion: Hashable, Sendable {
    /// A known name near to what was written.
    case didYouMean(String)
    /// An instruction.
    case advice(String)

    /// What to do: `expected …; did you mean …?`
    /// - Returns: nil where neither says anything.
    public static func hint(expected: String?, _ suggestion: Suggestion?) -> String? {
        let way: String? =
            switch suggestion {
            case .didYouMean(let name): "did you mean '\(name)'?"
            case .advice(let advice): advice
            case nil: nil
            }
        let parts = [expected.map { "expected \($0)" }, way].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension Nearest {
    /// The known name nearest to what was written.
    package static func suggestion(for written: String, among known: [String]) -> Suggestion? {
        name(to: written, among: known).map { .didYouMean($0) }
    }
}
