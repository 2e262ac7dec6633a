import SluiceContract
import SluiceRules

/// `groups:`: parameters that bindings share. A group has a name for `use:`, or a path with which the paths of its
/// bindings begin.
final class ParameterGroups {
    /// The pattern of a group's key: a name or a path.
    static let pattern = "^([A-Za-z0-9_.-]+|/\\S*)$"

    private struct Group {
        var name: String
        var key: SourceNode
        var parameters: [ParameterDeclaration]
        /// The beginning of the paths of its bindings; nil for a named group.
        var prefix: [PathTemplate.Segment]?
    }

    private let context: ReadingContext
    private var groups: [Group] = []
    private var used: Set<String> = []
    /// Whether all of them could be read.
    private(set) var isWhole = true

    init(_ node: SourceNode?, _ types: TypeTable) {
        context = types.context
        guard let node else { return }
        let before = context.findings.mistakes.count
        for (name, key, value) in context.named(node, what: "groups, each with parameters by name") {
            let parameters = ParameterSection.read(value, types)
            groups.append(Group(name: name, key: key, parameters: parameters, prefix: prefix(name, key)))
        }
        isWhole = context.findings.mistakes.count == before
    }

    private func prefix(_ name: String, _ key: SourceNode) -> [PathTemplate.Segment]? {
        guard name.hasPrefix("/") else { return nil }
        do {
            let path = try PathTemplate(name)
            if path.hasRest {
                context.findings.mistake(
                    at: key.place, "a group's path needs no '**'",
                    expected: "what the paths of its bindings begin with",
                    suggestion: .didYouMean(String(name.dropLast(3))))
            }
            return path.segments
        } catch {
            context.findings.mistake(
                at: key.place(at: error.offset), "\(URLText.shown(name)) is no path: \(error.message)",
                expected: "what the paths of its bindings begin with, such as /orgs/{org}")
            return nil
        }
    }

    /// The parameters of the groups whose path a binding's path begins with. Those of longer paths come later, and so
    /// override those of shorter ones.
    func parameters(of path: PathTemplate) -> [ParameterDeclaration] {
        var found: [(length: Int, group: Group)] = []
        for group in groups {
            guard let prefix = group.prefix, path.segments.starts(with: prefix) else { continue }
            used.insert(group.name)
            found.append((prefix.count, group))
        }
        return found.sorted { $0.length < $1.length }.flatMap(\.group.parameters)
    }

    /// The parameters of the groups that `use:` names; where two groups have the same parameter, the later one counts.
    func parameters(_ node: SourceNode) -> [ParameterDeclaration] {
        context.items(node).flatMap { item -> [ParameterDeclaration] in
            guard let name = context.text(item, what: "a group's name") else { return [] }
            guard let group = groups.first(where: { $0.name == name }) else {
                context.findings.mistake(
                    at: item.place, "there is no group '\(name)'",
                    expected: groups.isEmpty ? "a name under 'groups:'" : groups.map(\.name).joined(separator: ", "),
                    suggestion: Nearest.suggestion(for: name, among: groups.map(\.name)))
                return []
            }
            used.insert(name)
            return group.parameters
        }
    }

    func warnOfUnused() {
        guard context.findings.mistakes.isEmpty else { return }
        for group in groups where !used.contains(group.name) {
            context.findings.warning(
                at: group.key.place,
                group.prefix == nil
                    ? "group '\(group.name)' is not used by any binding"
                    : "no binding's path begins with '\(group.name)'")
        }
    }
}
