import SluiceContract
import SluiceRules

/// The types of one file. A definition is read when it is first needed, so that their order in the file is free.
final class TypeTable {
    let context: ReadingContext
    private var nodes: [(name: String, value: SourceNode)] = []
    private var places: [String: Int] = [:]
    private var readings: [String: TypeExpression] = [:]
    private var inProgress: Set<String> = []

    init(_ node: SourceNode?, _ context: ReadingContext) {
        self.context = context
        guard let node else { return }
        for (name, _, value) in context.named(node, what: "types by name") {
            places[name] = nodes.count
            nodes.append((name, value))
        }
        for (name, _) in nodes { _ = definition(name) }
    }

    /// In the order of the file.
    var declarations: [ConfigurationDeclaration.TypeDeclaration] {
        nodes.map { .init($0.name, readings[$0.name]) }
    }

    /// The meaning of a name; nil where it is unknown, wrong, or being read.
    func definition(_ name: String) -> TypeExpression? {
        if let reading = readings[name] { return reading }
        guard let node = places[name].map({ nodes[$0].value }), inProgress.insert(name).inserted else { return nil }
        // A text is an alias; a mapping is an object, even where its keys look like those of a field's long form.
        if let type = type(node) { readings[name] = type }
        return readings[name]
    }

    /// For suggestions.
    var knownNames: [String] {
        nodes.map(\.name) + Scalar.names.map(\.name)
    }
}
