import SluiceContract

extension Nearest {
    static func suggestion(for written: String, among known: [String]) -> Mistake.Suggestion? {
        name(to: written, among: known).map { .didYouMean($0) }
    }
}
