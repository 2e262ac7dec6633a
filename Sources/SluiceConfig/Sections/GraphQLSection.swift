import SluiceContract
import SluiceRules

/// `graphql:` of a binding: a query, or the identifier by which the server knows it.
enum GraphQLSection {
    static let section = Section(
        name: "binding.graphql", summary: "A query of GraphQL, and how the server is told of it",
        keys: [
            .init("query", .text(), "The query"),
            .init(
                "persisted", .flag, default: "false",
                "Sends the SHA-256 of the query, and the query where the server does not know it yet"),
            .init("id", .text(), "Instead of a query: the identifier by which the server has one"),
            .init(
                "as", .text(), default: GraphQLDocument.usualMember,
                "What the server calls it: documentId, id, doc_id, persistedQuery for the extension, or another name"),
        ], bareKey: "query")

    static let shape = Shape.either([.text(), .section(section)])

    static func read(_ node: SourceNode, _ context: ReadingContext) -> GraphQLDocument? {
        if node.entries == nil { return context.text(node, what: "a query").map { .query($0) } }
        var document: GraphQLDocument?
        Fields.read(node, section, context) { fields in
            var member = GraphQLDocument.usualMember
            var isPersisted = false
            fields.set("as", &member) { context.text($0, what: "a name") }
            fields.set("persisted", &isPersisted, context.flag)
            func misplaced(_ key: String, beside owner: String) {
                guard fields.has(key), !fields.has(owner) else { return }
                context.findings.mistake(
                    at: fields.keyPlace(key), "'\(key)' belongs to '\(owner):'", expected: "no '\(key)'")
            }
            misplaced("persisted", beside: "query")
            misplaced("as", beside: "id")
            switch (fields.node("query"), fields.node("id")) {
            case (let query?, nil):
                document = context.text(query, what: "a query").map { isPersisted ? .persisted($0) : .query($0) }
            case (nil, let id?):
                document = context.text(id, what: "an identifier").map { .registered(id: $0, member: member) }
            case (.some, .some):
                context.findings.mistake(
                    at: fields.keyPlace("id"), "a server that has the query is not sent it", expected: "'query' or 'id'"
                )
            case (nil, nil):
                context.findings.mistake(at: node.place, "nothing is asked", expected: "'query' or 'id'")
            }
        }
        return document
    }
}

extension GraphQLDocument {
    func write(_ name: String, _ writer: inout YAMLWriter) {
        switch self {
        case .query(let text): writer.key(name, text)
        case .persisted(let text):
            writer.mapping(name) { writer in
                writer.key("query", text)
                writer.raw("persisted", "true")
            }
        case .registered(let id, let member):
            writer.mapping(name) { writer in
                writer.key("id", id)
                writer.key("as", member)
            }
        }
    }
}
