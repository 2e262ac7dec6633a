import SluiceContract
import SluiceRules

/// `fixture:` of a binding, and each of its `fixtures:`.
enum FixtureSection {
    static let section = Section(
        name: "binding.fixture", summary: "What stands in for the upstream's answer",
        keys: [
            .init("value", .any, "The value, as clients get it"),
            .init("file", .text(), "The file that has it, or the content; looked up beside this file"),
            .init("body", .any, "The content of an answer without a type, such as that of an error"),
            .init("status", .integer(200...599), default: "200", "The status of the upstream's answer"),
            .init("headers", .names(pattern: nil, .text()), default: "{}", "Fields of the upstream's answer"),
            .init("problem", .choice(problems), "What has gone wrong: a kind of problem"),
            .init(
                "generate", .either([.flag, .integer(seeds)]),
                "Values are made of the type, the same ones for the same parameters; a number makes others"),
            .init("after", .duration, default: "0s", "How long it takes"),
        ])

    static let shape = Shape.either([.choice(words), .section(section)])
    static let namePattern = "^[A-Za-z0-9_.-]+$"
    static let words = ["loading", "generate"]
    static let seeds = 0...Int(Int32.max)

    /// The kinds of problems by name, and `timeout` for the most common timeout.
    static let problems = ["timeout"] + Problem.Kind.allCases.map(\.rawValue)

    /// Exactly one of these keys says what is answered; a status alone is enough, too.
    fileprivate static let answers = ["value", "file", "body", "problem", "generate"]
}

extension BindingReader {
    mutating func readFixtures() {
        let reader = FixtureReader(types: types, valueTypes: valueTypes, context: context)
        fields.say("fixture", \.fixture, in: &binding.settings) { reader.read($0) }
        fields.say("fixtures", \.fixtures, in: &binding.settings) { node in
            reader.context.named(node, what: "fixtures by name").compactMap { name, _, value in
                reader.read(value).map { NamedFixture(name, $0) }
            }
        }
    }
}

/// One fixture while it is read.
private struct FixtureReader {
    let types: TypeTable
    let valueTypes: (usual: TypeExpression?, byStatus: [Int: TypeExpression])
    let context: ReadingContext

    func read(_ node: SourceNode) -> Fixture? {
        if node.entries != nil { return readMapping(node) }
        switch node.isNull ? nil : node.text {
        case "loading": return Fixture(.loading)
        case "generate": return .generated
        default:
            context.findings.mistake(
                at: node.place, "\(node.kind) is no fixture", expected: "loading, generate, or a mapping",
                suggestion: Nearest.suggestion(for: node.text ?? "", among: FixtureSection.words)
                    ?? .advice("a value stands behind its key: {value: …}"))
            return nil
        }
    }

    private func readMapping(_ node: SourceNode) -> Fixture? {
        var fixture: Fixture?
        Fields.read(node, FixtureSection.section, context) { fields in
            var answers: [String: SourceNode] = [:]
            for name in FixtureSection.answers { answers[name] = fields.node(name) }
            var status: Int?
            fields.set("status", &status) { context.integer($0, 200...599) }
            if let status, !(200...599).contains(status) {
                context.findings.mistake(
                    at: fields.keyPlace("status"), "\(status) is no status of an answer", expected: "200 to 599")
            }
            let headers = fields.node("headers").map { HeadersSection.read($0, context, takesSecrets: false) } ?? []
            var after = Duration.zero
            fields.set("after", &after, context.duration)
            guard answers.count == 1 || answers.isEmpty && fields.has("status") else {
                context.findings.mistake(
                    at: node.place, answers.isEmpty ? "the fixture answers nothing" : "the fixture answers twice",
                    expected: "exactly one of \(FixtureSection.answers.joined(separator: ", "))")
                return
            }
            fixture = answer(answers, status)
            fixture?.status = status
            fixture?.fields = headers
            fixture?.after = after
        }
        return fixture
    }

    private func answer(_ nodes: [String: SourceNode], _ status: Int?) -> Fixture? {
        if let node = nodes["value"] { return Fixture(.value(json(node, status))) }
        if let node = nodes["file"] { return file(node, status) }
        if let node = nodes["body"] { return Fixture(content(node)) }
        if let node = nodes["problem"] { return problem(node).map { Fixture(.problem($0)) } }
        guard let node = nodes["generate"] else { return Fixture(.content([], mediaType: "")) }
        if let seed = node.text.flatMap({ Int($0) }) {
            if FixtureSection.seeds.contains(seed) { return Fixture(.generate(seed: seed)) }
            context.findings.mistake(
                at: node.place, "\(seed) is no seed", expected: Quantity.expected(FixtureSection.seeds))
            return nil
        }
        guard let isOn = context.flag(node) else { return nil }
        return isOn ? .generated : nil
    }

    private func type(_ status: Int?) -> TypeExpression? {
        status.flatMap { valueTypes.byStatus[$0] } ?? valueTypes.usual
    }

    private func json(_ node: SourceNode, _ status: Int?) -> String {
        type(status).map { types.json(node, as: $0.localForm(.verbatim)) } ?? DefaultValue(types: types).free(node)
    }

    private func content(_ node: SourceNode) -> Fixture.Answer {
        if node.entries == nil, node.items == nil, let text = node.text, !node.isNull {
            return .content(Array(text.utf8), mediaType: "text/plain; charset=utf-8")
        }
        return .content(Array(DefaultValue(types: types).free(node).utf8), mediaType: "application/json")
    }

    private func problem(_ node: SourceNode) -> Problem.Kind? {
        guard let word = context.choice(node, among: FixtureSection.problems) else { return nil }
        return word == "timeout" ? .totalTimeout : Problem.Kind(rawValue: word)
    }

    private func file(_ node: SourceNode, _ status: Int?) -> Fixture? {
        guard let name = context.text(node, what: "a file name") else { return nil }
        let path = context.beside(name)
        switch context.reader.surroundings.contents(path) {
        case .failure(let unreadable):
            context.findings.mistake(
                at: node.place, "file '\(path)' cannot be read: \(unreadable.reason)",
                expected: "a readable file" + (name.hasPrefix("/") ? "" : " beside the configuration"))
            return nil
        case .success(let bytes) where bytes.count > Fixture.bytesMax:
            context.findings.mistake(
                at: node.place, "file '\(path)' has \(bytes.count) bytes",
                expected: "at most \(Fixture.bytesMax >> 20) MiB")
            return nil
        case .success(let bytes):
            let isValue = (200..<300).contains(status ?? 200) && valueTypes.usual != nil
            var fixture =
                isValue || status.map { valueTypes.byStatus[$0] != nil } == true
                ? Fixture(.value(String(decoding: bytes, as: UTF8.self)))
                : Fixture(.content(bytes, mediaType: Self.mediaType(name)))
            fixture.file = path
            return fixture
        }
    }

    private static func mediaType(_ name: String) -> String {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return mediaTypes[ending] ?? "application/octet-stream"
    }

    private static let mediaTypes = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8",
        "xml": "application/xml", "csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "svg": "image/svg+xml",
        "pdf": "application/pdf", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    ]
}

extension Fixture {
    func write(_ name: String, _ writer: inout YAMLWriter) {
        if answer == .loading { return writer.key(name, "loading") }
        if self == .generated { return writer.key(name, "generate") }
        writer.mapping(name) { writer in
            if let file {
                writer.key("file", file)
            } else {
                write(answer: &writer)
            }
            if let status { writer.raw("status", "\(status)") }
            HeadersSection.write(fields, "headers", &writer)
            if after > .zero { writer.key("after", Quantity.text(after)) }
        }
    }

    private func write(answer writer: inout YAMLWriter) {
        switch answer {
        case .value(let json): writer.raw("value", json)
        case .content([], _) where status != nil: break
        case .content(let bytes, let mediaType):
            let text = String(decoding: bytes, as: UTF8.self)
            if mediaType == "application/json" { writer.raw("body", text) } else { writer.key("body", text) }
        case .generate(let seed): writer.raw("generate", "\(seed)")
        case .problem(let kind): writer.key("problem", kind.rawValue)
        case .loading, .recorded: break
        }
    }
}
