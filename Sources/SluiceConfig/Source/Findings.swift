import SluiceContract

/// Collects what is wrong with one file while it is read.
final class Findings {
    let file: String
    /// The file's lines, without line ends.
    let lines: [String]
    private(set) var mistakes: [Mistake] = []
    private(set) var warnings: [Mistake] = []
    /// Lines that are never shown, because a secret may stand in them.
    private var secretLines: Set<Int> = []

    init(file: String, text: String) {
        self.file = file
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch (scalar, previous) {
            case ("\n", "\r"): break
            case ("\n", _), ("\r", _):
                lines.append(String(line))
                line.removeAll()
            case ("\u{FEFF}", nil): break
            default: line.append(scalar)
            }
            previous = scalar
        }
        lines.append(String(line))
        self.lines = lines
    }

    func mistake(
        at place: SourceNode.Place, _ message: String, expected: String? = nil,
        suggestion: Mistake.Suggestion? = nil
    ) {
        let mistake = finding(at: place, message, expected: expected, suggestion: suggestion)
        // One place is often looked at twice (a type by its binding and by its cycle); it is told once.
        if !mistakes.contains(mistake) { mistakes.append(mistake) }
    }

    func warning(
        at place: SourceNode.Place, _ message: String, expected: String? = nil,
        suggestion: Mistake.Suggestion? = nil
    ) {
        warnings.append(finding(at: place, message, expected: expected, suggestion: suggestion))
    }

    func hide(line: Int) {
        secretLines.insert(line)
    }

    /// - Parameter isMapping: whether the file has keys, so that what they say is worth something.
    func loaded(_ configuration: Configuration, isMapping: Bool = false) -> Loaded {
        Loaded(
            configuration: mistakes.isEmpty ? configuration : nil, draft: isMapping ? configuration : nil,
            mistakes: mistakes.map(shown).sorted(), warnings: warnings.map(shown).sorted())
    }

    private func shown(_ mistake: Mistake) -> Mistake {
        var mistake = mistake
        if secretLines.contains(mistake.line) { mistake.sourceLine = nil }
        return mistake
    }

    private func finding(
        at place: SourceNode.Place, _ message: String, expected: String?, suggestion: Mistake.Suggestion?
    ) -> Mistake {
        let line = lines.indices.contains(place.line - 1) ? lines[place.line - 1] : nil
        return Mistake(
            file: file, line: place.line, column: place.column, message: message, expected: expected,
            suggestion: suggestion, sourceLine: line)
    }
}
