import SluiceContract

/// Objects that are put together: what a path leads to, and when it goes out.
extension PlainOracle {
    private enum Reached {
        /// Where it goes out, compared from the left, and what.
        case value([Int], String)
        case absent, fault
    }

    /// What stands at the path, of a field of this type.
    private struct Sought {
        var type: TypeExpression
        var isNullAbsent: Bool
        var isCollected = false
    }

    func composed(_ value: PlainValue, _ object: ObjectType) -> String? {
        var parts: [(order: [Int], text: String)] = []
        for field in object.fields {
            guard let path = field.path else { continue }
            let way = Sought(type: field.type, isNullAbsent: isOptional(field.type))
            switch follow(value, path.components[...], way, []) {
            case .value(let order, let text): parts.append((order, "\"\(field.name)\":\(text)"))
            case .fault: return nil
            case .absent:
                if let json = field.defaultJSON {
                    parts.append(([.max], "\"\(field.name)\":\(json)"))
                } else if !isOptional(field.type), !field.mayBeAbsent {
                    return nil
                }
            }
        }
        // Where two go out at once, the first one declared is first.
        let sorted = parts.enumerated().sorted { one, other in
            if one.element.order == other.element.order { return one.offset < other.offset }
            return one.element.order.lexicographicallyPrecedes(other.element.order)
        }
        return "{\(sorted.map(\.element.text).joined(separator: ","))}"
    }

    private func follow(
        _ value: PlainValue, _ path: ArraySlice<FieldPath.Component>, _ way: Sought, _ order: [Int]
    ) -> Reached {
        guard let step = path.first?.step else {
            return output(value, way.type).map { .value(order, $0) } ?? .fault
        }
        let rest = path.dropFirst()
        let missing: Reached = way.isCollected ? .fault : .absent
        if plain(value) == "null", way.isNullAbsent, !way.isCollected { return .absent }
        if case .key(let key) = step {
            guard case .object(let members) = value else { return .fault }
            let found = members.indices.filter { members[$0].key == key }
            if found.count > 1 { return .fault }
            guard let index = found.first else { return missing }
            return follow(members[index].value, rest, way, order + [2 * index])
        }
        guard case .array(let items) = value else { return .fault }
        switch step {
        case .key: return .fault
        case .index(let index):
            return index < items.count ? follow(items[index], rest, way, order + [2 * index]) : missing
        case .last:
            guard let last = items.last else { return missing }
            return held(last, rest, way, order + [.max])
        case .first(let condition):
            guard let index = items.firstIndex(where: { holds(condition, $0) }) else { return missing }
            return held(items[index], rest, way, order + [2 * index + 1])
        case .wildcard:
            var inner = way
            inner.isCollected = true
            if case .optional(let wrapped) = inner.type { inner.type = wrapped }
            if case .array(let element) = inner.type { inner.type = element }
            var texts: [String] = []
            for item in items {
                guard case .value(_, let text) = follow(item, rest, inner, []) else { return .fault }
                texts.append(text)
            }
            return .value(order, "[\(texts.joined(separator: ","))]")
        }
    }

    /// A chosen element goes out as a whole, when it is known.
    private func held(
        _ value: PlainValue, _ rest: ArraySlice<FieldPath.Component>, _ way: Sought, _ order: [Int]
    ) -> Reached {
        let reached = follow(value, rest, way, [])
        if case .value(_, let text) = reached { return .value(order, text) }
        return reached
    }

    private func holds(_ condition: FieldPath.Component.Condition, _ element: PlainValue) -> Bool {
        var value = element
        for component in condition.path.components {
            guard case .key(let key) = component.step, case .object(let members) = value else { return false }
            let found = members.filter { $0.key == key }
            guard found.count == 1 else { return false }
            value = found[0].value
        }
        switch (condition.value, value) {
        case (.string(let wanted), .string(_, let text)): return wanted == text
        case (.plain(let wanted), .plain(let text)):
            return wanted == text || Double(wanted).map { Double(text) == $0 } ?? false
        default: return false
        }
    }
}
