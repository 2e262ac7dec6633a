/// What a type asked for, put together by its places.
final class ProbeTree {
    private final class Node {
        var types: [any Decodable.Type] = []
        var isAnything = false
        var isOptional = false
        var containers: [ProbeRun.Container] = []
        var members: [(step: ProbeStep, node: Node)] = []

        func member(_ step: ProbeStep) -> Node {
            if let known = members.first(where: { $0.step == step }) { return known.node }
            let node = Node()
            members.append((step, node))
            return node
        }
    }

    private let root = Node()

    /// Containers, in which nothing may have been asked for. To be added behind the questions, whose order is that of
    /// the members.
    func add(_ containers: [(path: [ProbeStep], kind: ProbeRun.Container)]) {
        for (path, kind) in containers { node(path).containers.append(kind) }
    }

    private func known(_ path: [ProbeStep]) -> Bool {
        var node = root
        for step in path {
            guard let next = node.members.first(where: { $0.step == step })?.node else { return false }
            node = next
        }
        return true
    }

    private func node(_ path: [ProbeStep]) -> Node {
        path.reduce(root) { $0.member($1) }
    }

    func add(_ question: ProbeQuestion, isOptional: Bool) {
        // Whether a key is there may be asked of one that nothing is read of.
        if question.type == nil { return }
        let node = node(question.path)
        if isOptional { node.isOptional = true }
        guard let type = question.type, !node.types.contains(where: { $0 == type }) else { return }
        node.types.append(type)
    }

    func addAnything(at path: [ProbeStep]) {
        let node = node(path)
        (node.isAnything, node.isOptional) = (true, true)
    }

    func makeOptional(_ path: [ProbeStep]) {
        guard known(path) else { return }
        node(path).isOptional = true
    }

    /// Places that were not asked for in a run that was accepted: the outermost of them that has no place that was.
    func makeOptional(_ missing: Set<[ProbeStep]>, unless paths: Set<[ProbeStep]>) {
        for path in missing {
            let end = path.indices.first { index in
                let place = path[...index]
                if case .key = path[index] { return !paths.contains { $0.starts(with: place) } }
                return false
            }
            if let end { makeOptional(Array(path[...end])) }
        }
    }

    var form: ProbedForm { Self.form(root) }

    private static func form(_ node: Node) -> ProbedForm {
        if node.isAnything { return .anything }
        var forms: [ProbedForm] = node.types.isEmpty ? [] : [.values(node.types)]
        let elements = node.members.filter { $0.step == .element }
        let anyKeys = node.members.filter { $0.step == .anyKey }
        let keys = node.members.compactMap { member -> (key: String, form: ProbedForm, isOptional: Bool)? in
            guard case .key(let key) = member.step else { return nil }
            return (key, form(member.node), member.node.isOptional)
        }
        if let element = elements.first { forms.append(.list(form(element.node))) }
        if let value = anyKeys.first, keys.isEmpty { forms.append(.dictionary(form(value.node))) }
        if !keys.isEmpty || forms.isEmpty && node.containers.contains(.keyed) {
            forms.append(.object(ProbedObject(members: keys, takesOthers: !anyKeys.isEmpty)))
        }
        if forms.isEmpty, node.containers.contains(.list) { forms.append(.list(.anything)) }
        if forms.isEmpty { return .anything }
        return forms.count == 1 ? forms[0] : .either(forms)
    }
}
