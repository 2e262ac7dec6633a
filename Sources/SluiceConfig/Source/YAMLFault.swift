import SluiceRules

/// Why a file is no YAML, in the words of its author.
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
}
