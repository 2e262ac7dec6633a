import SluiceContract
import SluiceRules

/// The long form of a parameter.
enum ParameterSection {
    static let section = Section(
        name: "parameter", summary: "A parameter with more than a type",
        keys: [
            .init("type", .type, default: "required; String beside fixed", "Its type"),
            .init(
                "in", .choice(Parameter.Location.allCases.map(\.rawValue)), default: "where it belongs",
                "Where it stands in the client's request"),
            .init("as", .text(), default: "its name", "The upstream's name for it"),
            .init("default", .any, "The value where the client leaves it out"),
            .init("example", .any, "A value that may be asked for: 'sluice verify' does, and the console shows it"),
            .init(
                "fixed", .any,
                "Its only value, which no client can set, or where it comes from: {env: NAME} or {file: NAME}"),
            .init(
                "style", .choice(Parameter.ListStyle.allCases.map(\.rawValue)),
                default: Parameter.ListStyle.repeated.rawValue, "How a list is written"),
            .init(
                "null", .choice(Parameter.NullStyle.allCases.map(\.rawValue)),
                default: Parameter.NullStyle.omit.rawValue, "What an absent optional becomes"),
            .init("optional", .flag, default: "false", "The same as ? behind the type, for types written as YAML"),
        ])
}

extension BindingReader {
    /// Reads the parameters of the groups of its path, then those of the groups that it names, then the binding's own.
    /// A later parameter replaces an earlier one of the same name.
    mutating func readParameters(_ groups: ParameterGroups) {
        if let path = binding.path { groups.parameters(of: path).forEach { take($0) } }
        if let node = fields.node("use") { groups.parameters(node).forEach { take($0) } }
        if let node = fields.node("params") { ParameterSection.read(node, types).forEach { take($0) } }
    }

    private mutating func take(_ parameter: ParameterDeclaration) {
        if let index = binding.parameters.firstIndex(where: { $0.name == parameter.name }) {
            binding.parameters[index] = parameter
        } else {
            binding.parameters.append(parameter)
        }
    }
}

extension ParameterSection {
    static func read(_ node: SourceNode, _ types: TypeTable) -> [ParameterDeclaration] {
        let what = "parameters: a name and a type each, such as {limit: Int}"
        return types.context.named(node, what: what).map { name, key, value in
            parameter(named(name, key, value, types.context), value, types)
        }
    }

    /// A field may have a `?` behind its name. Of a parameter that would be taken for a part of its name, and sent.
    private static func named(
        _ name: String, _ key: SourceNode, _ value: SourceNode, _ context: ReadingContext
    ) -> String {
        guard name.hasSuffix("?"), name != "?" else { return name }
        let meant = String(name.dropLast())
        // Only what surely is a type: it may be a secret that stands in the type's place.
        let type = value.text.flatMap { text in Scalar.names.contains { $0.name == text } ? text : nil } ?? "T"
        context.findings.mistake(
            at: key.place, "parameter '\(name)' has a '?' behind its name", expected: "a '?' behind its type",
            suggestion: .advice("write \(meant): \(type)?"))
        return meant
    }

    private static func parameter(_ name: String, _ value: SourceNode, _ types: TypeTable) -> ParameterDeclaration {
        let context = types.context
        var parameter = ParameterDeclaration(name, nil)
        var example: SourceNode?
        let reading = types.field(value, ParameterSection.section) { fields in
            fields.set("in", &parameter.location) { context.choice($0) }
            fields.set("as", &parameter.upstreamName) { context.text($0, what: "a name") }
            fields.set("style", &parameter.style) { context.choice($0) }
            fields.set("null", &parameter.null) { context.choice($0) }
            example = fields.node("example")
        }
        guard let reading else { return parameter }
        if let example { parameter.exampleJSON = types.json(example, as: reading.type) }
        types.refuseConstant(reading.type, value)
        parameter.type = reading.type
        parameter.defaultJSON = reading.defaultJSON
        parameter.fixedJSON = reading.fixedJSON
        parameter.fixedSource = reading.fixedSource
        return parameter
    }
}
