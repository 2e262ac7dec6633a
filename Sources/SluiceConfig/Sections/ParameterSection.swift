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
    /// Those of groups first; what the binding says of one itself takes its place.
    mutating func readParameters(_ groups: ParameterGroups) {
        if let node = fields.node("use") { binding.parameters = groups.parameters(node) }
        guard let node = fields.node("params") else { return }
        for parameter in ParameterSection.read(node, types) {
            if let index = binding.parameters.firstIndex(where: { $0.name == parameter.name }) {
                binding.parameters[index] = parameter
            } else {
                binding.parameters.append(parameter)
            }
        }
    }
}

/// `groups:`: parameters that bindings share.
final class ParameterGroups {
    private let context: ReadingContext
    private var groups: [(name: String, key: SourceNode, parameters: [ParameterDeclaration])] = []
    private var used: Set<String> = []

    init(_ node: SourceNode?, _ types: TypeTable) {
        context = types.context
        guard let node else { return }
        for (name, key, value) in context.named(node, what: "groups, each with parameters by name") {
            groups.append((name, key, ParameterSection.read(value, types)))
        }
    }

    /// Those of the groups that `use:` names, each once: a later group says what becomes of one that stands in two.
    func parameters(_ node: SourceNode) -> [ParameterDeclaration] {
        var found: [ParameterDeclaration] = []
        for item in context.items(node) {
            guard let name = context.text(item, what: "a group's name") else { continue }
            guard let group = groups.first(where: { $0.name == name }) else {
                context.findings.mistake(
                    at: item.place, "there is no group '\(name)'",
                    expected: groups.isEmpty ? "a name under 'groups:'" : groups.map(\.name).joined(separator: ", "),
                    suggestion: Nearest.suggestion(for: name, among: groups.map(\.name)))
                continue
            }
            used.insert(name)
            for parameter in group.parameters {
                found.removeAll { $0.name == parameter.name }
                found.append(parameter)
            }
        }
        return found
    }

    func warnOfUnused() {
        guard context.findings.mistakes.isEmpty else { return }
        for group in groups where !used.contains(group.name) {
            context.findings.warning(at: group.key.place, "group '\(group.name)' is not used by any binding")
        }
    }
}

extension ParameterSection {
    static func read(_ node: SourceNode, _ types: TypeTable) -> [ParameterDeclaration] {
        let what = "parameters: a name and a type each, such as {limit: Int}"
        return types.context.named(node, what: what).map { name, _, value in parameter(name, value, types) }
    }

    private static func parameter(_ name: String, _ value: SourceNode, _ types: TypeTable) -> ParameterDeclaration {
        let context = types.context
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
        parameter.fixedSource = reading.fixedSource
        return parameter
    }
}
