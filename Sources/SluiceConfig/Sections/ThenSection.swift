import SluiceContract
import SluiceRules

/// `then:` of a binding that changes data: the effect of its success on stored answers.
enum ThenSection {
    static let section = Section(
        name: "binding.then", summary: "What the success of a change means for answers that are stored",
        keys: [
            .init("invalidate", .oneOrMany(.text()), "Bindings whose stored answers are of no more use"),
            .init("tags", .oneOrMany(.text()), "The same, of all bindings whose cache has one of these tags"),
            .init(
                "update", .text(),
                "The binding of GET whose stored answer the written value becomes, such as GET /fruits/{id}"),
        ])

    static func read(_ node: SourceNode, _ context: ReadingContext) -> AfterWrite? {
        var isRead = true
        var effect = AfterWrite()
        var hasKeys = false
        Fields.read(node, section, context) { fields in
            func names(_ key: String, _ path: WritableKeyPath<AfterWrite, [String]>, _ what: String) {
                guard let node = fields.node(key) else { return }
                hasKeys = true
                guard let names = context.all(node, { context.text($0, what: what) }) else {
                    isRead = false
                    return
                }
                effect[keyPath: path] = names
            }
            names("invalidate", \.invalidate, "a binding such as GET /fruits")
            names("tags", \.tags, "a tag")
            guard let node = fields.node("update") else { return }
            hasKeys = true
            effect.update = context.text(node, what: "a binding such as GET /fruits/{id}")
            if effect.update == nil { isRead = false }
        }
        if node.entries != nil, !hasKeys, isRead {
            context.findings.mistake(
                at: node.place, "'then' says nothing", expected: "one or more of invalidate, tags, update")
        }
        return isRead && hasKeys ? effect : nil
    }
}

extension AfterWrite {
    func write(_ name: String, _ writer: inout YAMLWriter) {
        writer.mapping(name) { writer in
            if !invalidate.isEmpty { writer.list("invalidate", invalidate) }
            if !tags.isEmpty { writer.list("tags", tags) }
            if let update { writer.key("update", update) }
        }
    }
}
