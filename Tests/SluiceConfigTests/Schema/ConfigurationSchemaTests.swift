import SluiceContract
import Testing

@testable import SluiceConfig

/// Schema and reader agree, also about what is wrong: every example is bent at every node, and both have to judge.
@Suite struct ConfigurationSchemaTests {
    private static func scalar(_ text: String, _ style: SourceNode.Scalar.Style = .plain) -> SourceNode {
        SourceNode(content: .scalar(.init(text: text, style: style)), place: .init(line: 1, column: 1))
    }

    private static let replacements: [SourceNode] = [
        scalar("zzz"), scalar("zzz", .quoted), scalar("-1"), scalar("0"), scalar("7"), scalar("1.5"), scalar("true"),
        scalar("false"), scalar("10s"), scalar("64KiB"), scalar(""), scalar("", .quoted), scalar("String"),
        SourceNode(content: .sequence([]), place: .init(line: 1, column: 1)),
        SourceNode(content: .sequence([scalar("zzz")]), place: .init(line: 1, column: 1)),
        SourceNode(content: .mapping(.init(entries: [], isFlow: true)), place: .init(line: 1, column: 1)),
        SourceNode(
            content: .mapping(.init(entries: [.init(key: scalar("zzz"), value: scalar("1"))], isFlow: true)),
            place: .init(line: 1, column: 1)),
    ]

    /// The node with each of its values replaced in turn.
    private static func bent(_ node: SourceNode) -> [SourceNode] {
        var result = replacements
        switch node.content {
        case .scalar: break
        case .sequence(let items):
            for (index, item) in items.enumerated() {
                for other in bent(item) {
                    var items = items
                    items[index] = other
                    result.append(SourceNode(content: .sequence(items), place: node.place))
                }
            }
        case .mapping(let mapping):
            for (index, entry) in mapping.entries.enumerated() {
                for other in bent(entry.value) {
                    var mapping = mapping
                    mapping.entries[index].value = other
                    result.append(SourceNode(content: .mapping(mapping), place: node.place))
                }
            }
        }
        return result
    }

    private static func isAccepted(_ node: SourceNode, _ bench: Bench) -> Bool {
        let findings = Findings(file: "/etc/sluice/sluice.yaml", text: "")
        let declaration = RootSection.read(node, ReadingContext(reader: bench.reader, findings: findings))
        return findings.mistakes.isEmpty && declaration.checked().mistakes.isEmpty
    }

    @Test(arguments: try DocumentationTests.blocks.indices)
    func refusesNothingThatTheReaderAccepts(_ index: Int) throws {
        let bench = DocumentationTests.whole(try DocumentationTests.blocks[index])
        let node = try #require(SourceDocument.root(Findings(file: "", text: bench.yaml)))
        let schema = try SchemaValidator(ConfigurationSchema.json())
        var acceptedCount = 0
        // A sixth of them, another sixth for each block, so that the run stays short.
        let others = Self.bent(node).enumerated().filter { $0.offset % 6 == index % 6 }.map(\.element)
        for other in others where Self.isAccepted(other, bench) {
            acceptedCount += 1
            let faults = schema.faults(of: other)
            #expect(faults.isEmpty, "\(faults.first?.prefix(300) ?? "")")
        }
        #expect(acceptedCount > 0)
    }

    /// Every mapping with a closed set of keys refuses another one, in both.
    @Test(arguments: ConfigurationSchema.sections.map(\.name)) func refusesUnknownKeys(_ name: String) throws {
        let text = ConfigurationSchema.json()
        let root = try #require(SourceDocument.root(Findings(file: "", text: text)))
        let definition = try #require(root.value("$defs")?.value(name))
        #expect(definition.value("additionalProperties")?.text == "false")
        let section = try #require(ConfigurationSchema.sections.first { $0.name == name })
        #expect(definition.value("properties")?.entries?.map(\.key.text) == section.keys.map(\.name))
        let findings = Findings(file: "", text: "")
        let context = ReadingContext(reader: Bench("").reader, findings: findings)
        let node = SourceNode(
            content: .mapping(.init(entries: [.init(key: Self.scalar("zzz"), value: Self.scalar("1"))], isFlow: true)),
            place: .init(line: 1, column: 1))
        Fields.read(node, section, context) { fields in
            for key in section.keys { _ = fields.node(key.name) }
        }
        #expect(findings.mistakes.map(\.message).contains { $0.hasPrefix("unknown key") })
    }

    /// What the reader refuses beside `type:` is refused in an editor, too; an object may have a field of this name.
    @Test(arguments: [
        ("params: {a: {type: Int, required: true}}", false), ("value: {a: {type: Int, required: true}}", false),
        ("params: {a: {type: Int, in: query, zzz: Int}}", false), ("value: {a: {type: Int, optional: zzz}}", false),
        ("params: {a: {type: Int, in: query}}", true), ("value: {a: {type: Int, size: Int}}", true),
        ("value: {a: {type: Int}}", true), ("value: {a: {type: Int, required: Bool}}", true),
        ("params: {a: {type: Int, fixed: 1}}", true), ("params: {a: {fixed: 1}}", true),
    ])
    func knowsTheLongForm(_ text: String, _ isRight: Bool) throws {
        let bench = fruit("GET /x: {to: fruit /x, \(text)}")
        let node = try #require(SourceDocument.root(Findings(file: "", text: bench.yaml)))
        #expect(Self.isAccepted(node, bench) == isRight)
        #expect(try SchemaValidator(ConfigurationSchema.json()).faults(of: node).isEmpty == isRight)
    }
}
