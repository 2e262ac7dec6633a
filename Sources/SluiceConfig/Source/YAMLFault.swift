internal import SluiceContract
import SluiceRules

/// Why a file is not valid YAML, in terms that its author understands.
struct YAMLFault {
    var place: SourceNode.Place
    var message: String
    var expected: String?
    var suggestion: Suggestion?

    init(
        at place: SourceNode.Place, _ message: String, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        self.place = place
        self.message = message
        self.expected = expected
        self.suggestion = suggestion
    }

    /// YAML 1.1 merges mappings by this key; YAML 1.2 does not know it.
    static func mergeKey(at place: SourceNode.Place) -> YAMLFault {
        YAMLFault(
            at: place, "merge keys ('<<') are not read", expected: "the keys themselves",
            suggestion: .advice("use 'defaults:', or an alias (*name) for a whole value"))
    }

    /// - Parameter known: the anchors defined above.
    static func noAnchor(_ name: String, at place: SourceNode.Place, known: [String]) -> YAMLFault {
        YAMLFault(
            at: place, "there is no anchor '&\(name)' above",
            suggestion: Nearest.name(to: name, among: known).map { .didYouMean("*\($0)") }
                ?? .advice("write it in front of the value that is meant"))
    }
}
