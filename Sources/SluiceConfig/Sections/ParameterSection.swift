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
            .init("fixed", .any, "Its only value, which no client can set; in the query, or in the path upstream"),
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
    mutating func readParameters() {
        guard let node = fields.node("params") else { return }
        for (name, _, value) in context.named(node, what: "parameters: a name and a type each, such as {limit: Int}") {
            binding.parameters.append(parameter(name, value))
        }
    }

    private func parameter(_ name: String, _ value: SourceNode) -> ParameterDeclaration {
        let context = context
        var parameter = ParameterDeclaration(name, nil)
        let reading = types.field(value, ParameterSection.section) { fields in
            fields.set("in", &parameter.location) { context.choice($0) }
            fields.set("as", &parameter.upstreamName) { context.text($0, what: "a name") }
            fields.set("style", &parameter.style) { context.choice($0) }
            fields.set("null", &parameter.null) { context.choice($0) }
        }
        guard let reading else { return parameter }
        types.refuseConstant(reading.type, value)
        parameter.type = reading.type
        parameter.defaultJSON = reading.defaultJSON
        parameter.fixedJSON = reading.fixedJSON
        return parameter
    }
}
