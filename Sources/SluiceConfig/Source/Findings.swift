import SluiceContract
import SluiceJSON
import SluiceRules

/// Collects the mistakes and warnings of a file, and of the pages that it includes, while it is read.
final class Findings {
    let file: String
    let source: SourceText
    /// The file's lines, without line ends.
    var lines: SourceText.Lines { source.lines }
    private(set) var mistakes: [Mistake] = []
    private var known: Set<Mistake> = []
    private(set) var warnings: [Mistake] = []
    /// Included pages, by number from 1 on.
    private var pages: [(file: String, source: SourceText)] = []
    /// The findings of pages that these include.
    private var included: [Findings] = []
    /// The file's tree, until it is searched for secrets: a file without findings never is.
    private var unsearched: SourceNode?
    /// Lines that are never shown, because they may hold a secret.
    private var secretLines: Set<Line> = []
    /// Texts that no message repeats.
    private var secrets: Set<String> = []

    private struct Line: Hashable {
        var file: String
        var line: Int
    }

    init(file: String, text: String) {
        self.file = file
        source = SourceText(text)
    }

    func mistake(
        at place: SourceNode.Place, _ message: String, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        let mistake = finding(at: place, message, expected: expected, suggestion: suggestion)
        // The same mistake is often found twice (a type by its binding and by its cycle); it is reported once.
        if known.insert(mistake).inserted { mistakes.append(mistake) }
    }

    func warning(
        at place: SourceNode.Place, _ message: String, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        warnings.append(finding(at: place, message, expected: expected, suggestion: suggestion))
    }

    /// Adds a finding of the checks, at its place in the file.
    func add(_ finding: Finding, _ source: SourceIndex) {
        let place = source.place(of: finding)
        let message = finding.message.text { name(of: source.keyPlace(of: $0), seenFrom: place) }
        switch finding.severity {
        case .mistake: mistake(at: place, message, expected: finding.expected, suggestion: finding.suggestion)
        case .warning: warning(at: place, message, expected: finding.expected, suggestion: finding.suggestion)
        }
    }

    func hide(line: Int) {
        secretLines.insert(Line(file: file, line: line))
    }

    func hide(lineOf place: SourceNode.Place) {
        secretLines.insert(Line(file: page(place).file, line: place.line))
    }

    /// Keeps the secrets of a file out of all messages. They are looked for once there is a message.
    func hideSecrets(in root: SourceNode) {
        unsearched = root
    }

    /// Takes over the findings of an included page.
    /// - Returns: the page's number.
    func adopt(_ page: Findings) -> Int {
        pages.append((page.file, page.source))
        included.append(page)
        for mistake in page.mistakes where known.insert(mistake).inserted { mistakes.append(mistake) }
        warnings += page.warnings
        return pages.count
    }

    private func findSecrets() {
        if let root = unsearched {
            unsearched = nil
            SecretLines.hide(in: root, self)
        }
        for page in included {
            page.findSecrets()
            secretLines.formUnion(page.secretLines)
            secrets.formUnion(page.secrets)
        }
    }

    private func page(_ place: SourceNode.Place) -> (file: String, source: SourceText) {
        place.page == 0 ? (file, source) : pages[place.page - 1]
    }

    func bindingPlaces(in root: SourceNode) -> [BindingPlace] {
        (root.value("bindings")?.entries ?? []).compactMap { entry in
            let place = entry.key.place
            return entry.key.text.map {
                BindingPlace(name: $0, file: page(place).file, line: place.line, column: place.column)
            }
        }
    }

    /// How a message at the place `here` refers to another place.
    func name(of place: SourceNode.Place, seenFrom here: SourceNode.Place) -> String {
        place.page == here.page ? "line \(place.line)" : "\(page(place).file):\(place.line)"
    }

    /// - Parameter isMapping: whether the file is a mapping, so that its configuration is of use as a draft.
    func loaded(_ configuration: Configuration? = nil, isMapping: Bool = false) -> Loaded {
        if !mistakes.isEmpty || !warnings.isEmpty { findSecrets() }
        return Loaded(
            configuration: mistakes.isEmpty ? configuration : nil, draft: isMapping ? configuration : nil,
            mistakes: mistakes.map(shown).sorted(), warnings: warnings.map(shown).sorted())
    }

    /// Keeps a text out of all messages, whole or with its end cut off.
    func hide(_ secret: String) {
        guard !secret.isEmpty else { return }
        secrets.insert(secret)
        let shown = Shown.line(of: secret)
        // The last character is the sign for the part cut off; messages may use another sign.
        if shown != secret, shown.count > 1 { secrets.insert(String(shown.dropLast())) }
    }

    /// Shorter secrets may occur by chance: in the expectation or suggestion, which are then left as they are, and
    /// within words of the message.
    private static let secretBytesMin = 4

    private static func redacted(_ text: String, _ secret: String) -> String {
        if secret.utf8.count >= secretBytesMin { return text.replacing(secret, with: Explain.redacted) }
        func isInWord(_ neighbour: Character?) -> Bool { neighbour.map { $0.isLetter || $0.isNumber } ?? false }
        var (result, rest) = ("", text[...])
        while let found = rest.firstRange(of: secret) {
            result += rest[..<found.lowerBound]
            rest = rest[found.upperBound...]
            result += isInWord(result.last) || isInWord(rest.first) ? secret : Explain.redacted
        }
        return result + rest
    }

    private func shown(_ mistake: Mistake) -> Mistake {
        var mistake = mistake
        if secretLines.contains(Line(file: mistake.file, line: mistake.line)) { mistake.sourceLine = nil }
        // The longest first: one may be the beginning of another.
        for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            func redacted(_ text: String) -> String { Self.redacted(text, secret) }
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
        let page = page(place)
        let lines = page.source.lines
        let line = lines.indices.contains(place.line - 1) ? lines[place.line - 1] : nil
        return Mistake(
            file: page.file, line: place.line, column: place.column, message: message, expected: expected,
            suggestion: suggestion, sourceLine: line)
    }
}
