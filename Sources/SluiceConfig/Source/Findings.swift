import SluiceContract
import SluiceRules

/// Collects what is wrong with one file while it is read.
final class Findings {
    let file: String
    let source: SourceText
    /// The file's lines, without line ends.
    var lines: SourceText.Lines { source.lines }
    private(set) var mistakes: [Mistake] = []
    private var known: Set<Mistake> = []
    private(set) var warnings: [Mistake] = []
    /// Lines that are never shown, because a secret may stand in them.
    private var secretLines: Set<Int> = []
    /// Texts that no message repeats.
    private var secrets: Set<String> = []

    init(file: String, text: String) {
        self.file = file
        source = SourceText(text)
    }

    func mistake(
        at place: SourceNode.Place, _ message: String, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        let mistake = finding(at: place, message, expected: expected, suggestion: suggestion)
        // One place is often looked at twice (a type by its binding and by its cycle); it is told once.
        if known.insert(mistake).inserted { mistakes.append(mistake) }
    }

    func warning(
        at place: SourceNode.Place, _ message: String, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        warnings.append(finding(at: place, message, expected: expected, suggestion: suggestion))
    }

    /// Adds a finding about what the file says, at the place where it says so.
    func add(_ finding: Finding, _ source: SourceIndex) {
        let message = finding.message.text { "line \(source.line(of: $0))" }
        let place = source.place(of: finding)
        switch finding.severity {
        case .mistake: mistake(at: place, message, expected: finding.expected, suggestion: finding.suggestion)
        case .warning: warning(at: place, message, expected: finding.expected, suggestion: finding.suggestion)
        }
    }

    func hide(line: Int) {
        secretLines.insert(line)
    }

    /// - Parameter isMapping: whether the file has keys, so that what they say is worth something.
    func loaded(_ configuration: Configuration? = nil, isMapping: Bool = false) -> Loaded {
        Loaded(
            configuration: mistakes.isEmpty ? configuration : nil, draft: isMapping ? configuration : nil,
            mistakes: mistakes.map(shown).sorted(), warnings: warnings.map(shown).sorted())
    }

    /// Keeps a text out of all messages, whole or with its end cut off.
    func hide(_ secret: String) {
        guard !secret.isEmpty else { return }
        secrets.insert(secret)
        if let shown = Shown.line(of: secret).split(separator: "…").first { secrets.insert(String(shown)) }
    }

    /// Shorter texts may stand by chance in what we say ourselves.
    private static let secretBytesMin = 4

    private func shown(_ mistake: Mistake) -> Mistake {
        var mistake = mistake
        if secretLines.contains(mistake.line) { mistake.sourceLine = nil }
        // The longest first: one may be the beginning of another.
        for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            func redacted(_ text: String) -> String { text.replacing(secret, with: Explain.redacted) }
            mistake.message = redacted(mistake.message)
            guard secret.utf8.count >= Self.secretBytesMin else { continue }
            mistake.expected = mistake.expected.map(redacted)
            switch mistake.suggestion {
            case .didYouMean(let name): mistake.suggestion = .didYouMean(redacted(name))
            case .advice(let advice): mistake.suggestion = .advice(redacted(advice))
            case nil: break
            }
        }
        return mistake
    }

    private func finding(
        at place: SourceNode.Place, _ message: String, expected: String?, suggestion: Suggestion?
    ) -> Mistake {
        let line = lines.indices.contains(place.line - 1) ? lines[place.line - 1] : nil
        return Mistake(
            file: file, line: place.line, column: place.column, message: message, expected: expected,
            suggestion: suggestion, sourceLine: line)
    }
}
