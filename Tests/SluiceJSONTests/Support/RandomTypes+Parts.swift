import SluiceContract

/// Documents for objects that are put together.
extension RandomTypes.Writer {
    mutating func parts(of object: ObjectType, _ depth: Int) -> [String] {
        var members: [String: String] = [:]
        var listed: [(key: String, type: TypeExpression)] = []
        var nested: [String] = []
        for field in object.fields {
            guard case .path(let path)? = field.source else { continue }
            let mayMiss = field.mayBeAbsent || field.defaultJSON != nil
            if chance(mayMiss ? 3 : 12), chance(2) { continue }
            guard case .key(let first) = path.components[0].step else { continue }
            if first == "t", case .key(let key) = path.components[2].step {
                listed.append((key, field.type))
            } else if first == "f" {
                nested.append(member(path.components[1...], field.type, depth))
            } else {
                members[first] = member(path.components[...], field.type, depth)
            }
        }
        var written = members.sorted { $0.key < $1.key }.map(\.value)
        if !nested.isEmpty { written.append("\"f\":{\(nested.joined(separator: ","))}") }
        if listed.isEmpty { return written }
        // What several paths choose elements of.
        let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            var members = ["\"k\":\(pick(["1", "2", "2.0", "20e-1", "\"2\""]))"]
            for (key, type) in listed where !chance(6) { members.append("\"\(key)\":\(text(type, depth - 1))") }
            return "{\(members.shuffled(using: &random).joined(separator: ","))}"
        }
        return written + ["\"t\":[\(items.joined(separator: ","))]"]
    }

    private mutating func member(
        _ path: ArraySlice<FieldPath.Component>, _ type: TypeExpression, _ depth: Int
    ) -> String {
        guard case .key(let key)? = path.first?.step else { return "" }
        return "\"\(key)\":\(value(path.dropFirst(), type, depth))"
    }

    private mutating func value(
        _ path: ArraySlice<FieldPath.Component>, _ type: TypeExpression, _ depth: Int
    ) -> String {
        if chance(wrongOneIn * 3) { return pick(Self.anything) }
        let rest = path.dropFirst()
        switch path.first?.step {
        case nil: return text(type, depth - 1)
        case .key: return "{\(pick(["", "\"zz\":[1],"]))\(member(path, type, depth))}"
        case .index: return "[\(value(rest, type, depth))\(pick(["", ",{}", ",1"]))]"
        case .last: return "[\(pick(["", "1,", "{\"d\":[2]},", "[\"]\"], "]))\(value(rest, type, depth))]"
        case .first:
            let before = pick(["", "{\"k\":\"y\"},", "3,", "{\"k\":{\"k\":\"x\"}},", "{\"k\":\"\\u0078y\"},"])
            let key = pick(["\"k\":\"x\"", "\"k\":\"\\u0078\"", "\"\\u006b\":\"x\""])
            return "[\(before){\(key),\(member(rest, type, depth))}\(pick(["", ",{\"k\":\"x\"}"]))]"
        case .wildcard:
            var element = type
            if case .optional(let wrapped) = element { element = wrapped }
            if case .array(let inner) = element { element = inner }
            let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in value(rest, element, depth) }
            return "[\(items.joined(separator: ","))]"
        }
    }
}
