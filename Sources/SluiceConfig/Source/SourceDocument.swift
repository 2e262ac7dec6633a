import Yams

/// The one place that knows Yams: text in, ``SourceNode`` out.
///
/// Yams gives up at the first repeated key and names no place for the second. All mistakes are wanted in one run, so
/// the first character of an earlier occurrence is replaced by a private-use one and the text is read again until no
/// key repeats; the right key is put back while nodes are converted, and whoever reads the mapping reports it.
struct SourceDocument {
    private let findings: Findings
    private var source: SourceText
    private var cursor = SourceText.Cursor()
    private var renamed: [SourceNode.Place: String] = [:]
    private var nodeCount = 0
    private var isTooLarge = false

    /// Keys, values and items, those behind an alias wherever it stands: aliases can make a small file a huge document.
    static let nodeCountMax = 500_000
    static let depthMax = 64
    private static let repeatedKeysMax = 64

    /// The document's root; nil where it is empty or, with a mistake noted, where it is no YAML.
    static func root(_ findings: Findings) -> SourceNode? {
        var document = SourceDocument(findings)
        return document.root()
    }

    /// A value that stands inside another text, such as a default behind `=`; nil where it cannot be read.
    static func fragment(_ text: String, at place: SourceNode.Place) -> SourceNode? {
        guard let first = text.first, "[{\"'".contains(first) else {
            return SourceNode(content: .scalar(.init(text: text, style: .plain)), place: place)
        }
        let findings = Findings(file: "", text: text)
        let node = root(findings)
        return findings.mistakes.isEmpty ? node : nil
    }

    private init(_ findings: Findings) {
        self.findings = findings
        source = findings.source
    }

    private mutating func root() -> SourceNode? {
        while true {
            do {
                guard let root = try Parser(yaml: source.text, resolver: .basic, encoding: .utf8).singleRoot() else {
                    return nil
                }
                let node = converted(root, depth: 0)
                if let node { SecretLines.hide(in: node, findings) }
                return node
            } catch YamlError.duplicatedKeysInMapping(let duplicates, let context) {
                guard renamed.count < Self.repeatedKeysMax, rename(duplicates.first ?? "", at: context.mark) else {
                    let place = Self.place(context.mark)
                    SecretLines.hide(around: place.line, findings)
                    findings.mistake(
                        at: place, "key '\(duplicates.first ?? "")' stands twice", expected: "each key once")
                    return nil
                }
            } catch {
                report(error)
                return nil
            }
        }
    }

    /// Makes the key at a mark differ from its namesake, without moving anything.
    private mutating func rename(_ key: String, at mark: Mark) -> Bool {
        let place = SourceNode.Place(line: mark.line, column: mark.column)
        guard renamed[place] == nil, var offset = source.offset(of: place, &cursor) else { return false }
        if let mark = source.character(at: offset), mark == "\"" || mark == "'" { offset += 1 }
        guard let first = key.unicodeScalars.first, source.character(at: offset) == first,
            let stand = Unicode.Scalar(0xE000 + UInt32(renamed.count))
        else { return false }
        source.replace(stand, at: offset)
        cursor = SourceText.Cursor()
        renamed[place] = key
        return true
    }

    private mutating func converted(_ node: Node, depth: Int) -> SourceNode? {
        nodeCount += 1
        let place = SourceNode.Place(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
        guard depth <= Self.depthMax, nodeCount <= Self.nodeCountMax else {
            if !isTooLarge { tooLarge(at: place, depth) }
            isTooLarge = true
            return nil
        }
        switch node {
        case .scalar(let scalar):
            let style: SourceNode.Scalar.Style =
                switch scalar.style {
                case .doubleQuoted, .singleQuoted: .quoted
                case .literal, .folded: .block
                case .any, .plain: .plain
                }
            let text = renamed[place] ?? scalar.string
            return SourceNode(content: .scalar(.init(text: text, style: style)), place: place)
        case .sequence(let sequence):
            let items = sequence.compactMap { converted($0, depth: depth + 1) }
            return SourceNode(content: .sequence(items), place: place)
        case .mapping(let mapping):
            var entries: [SourceNode.Mapping.Entry] = []
            for (key, value) in mapping {
                guard let key = converted(key, depth: depth + 1), let value = converted(value, depth: depth + 1)
                else { continue }
                entries.append(.init(key: key, value: value))
            }
            let content = SourceNode.Mapping(entries: entries, isFlow: isBrace(at: place))
            return SourceNode(content: .mapping(content), place: place)
        case .alias:
            return nil
        }
    }

    private func tooLarge(at place: SourceNode.Place, _ depth: Int) {
        if depth > Self.depthMax {
            findings.mistake(
                at: place, "the page is nested too deeply", expected: "at most \(Self.depthMax) levels")
        } else {
            findings.mistake(
                at: place, "the page is too large",
                expected:
                    "at most \(Self.nodeCountMax) keys, values and list items; those behind an alias (*name) count "
                    + "wherever it stands")
        }
    }

    /// Yams takes a mapping's style from the event of its end, where there is none.
    private mutating func isBrace(at place: SourceNode.Place) -> Bool {
        source.offset(of: place, &cursor).map { source.bytes[$0] == UInt8(ascii: "{") } ?? false
    }

    private func report(_ error: any Error) {
        switch error {
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            report(problem, at: Self.place(mark), context: context.map { Self.place($0.mark) })
        case YamlError.reader(let problem, let offset, _, _):
            let before = source.bytes.prefix(offset ?? 0)
            let line = before.count { $0 == 0x0a } + 1
            findings.mistake(at: .init(line: line, column: 1), "not readable as text: \(problem)", expected: "UTF-8")
        default:
            findings.mistake(at: .init(line: 1, column: 1), "not valid YAML: \(error)")
        }
    }

    private func report(_ problem: String, at place: SourceNode.Place, context: SourceNode.Place?) {
        let isSecret = SecretLines.hide(around: place.line, findings)
        let page = YAMLPage(lines: Array(findings.lines), names: !isSecret)
        let fault = page.fault(problem, at: place, context: context)
        // What is at fault may stand elsewhere, among other lines.
        SecretLines.hide(around: fault.place.line, findings)
        findings.mistake(at: fault.place, fault.message, expected: fault.expected, suggestion: fault.suggestion)
    }

    private static func place(_ mark: Mark) -> SourceNode.Place {
        SourceNode.Place(line: mark.line, column: mark.column)
    }
}
