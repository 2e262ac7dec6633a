import SluiceContract

/// Compiles the demands of several slices on one array.
extension PlanCompiler {
    mutating func array(_ demands: [Demand]) throws(PlanError) -> Int32 {
        var elements: [Demand] = []
        var indexed: [Int: [Demand]] = [:]
        var missing: [ElementEnding] = []
        var rules: [ArrayRule] = []
        var collectors: [Collector] = []
        var candidates: [CandidateTable] = []
        for demand in demands {
            switch demand.role {
            case .leftOut: break
            case .value(let shape, _), .unique(let shape):
                rules += try arrayRules(demand.slice, shape)
                if let part = element(of: shape, demand.slice) { elements.append(part) }
            case .step(let component, let part, let collected):
                switch step(component, demand.slice, part) {
                case .key: break
                case .wildcard:
                    elements.append(self.demand(demand.slice, after: component + 1, part: part, collected: true))
                    if !collected { collectors.append(Collector(slice: Int32(demand.slice), part: Int32(part))) }
                case .index(let index):
                    indexed[index, default: []]
                        .append(self.demand(demand.slice, after: component + 1, part: part, collected: collected))
                    if let ending = ending(index, component, demand.slice, part, collected) { missing.append(ending) }
                case .last, .first:
                    candidates.append(try candidate(component, demand.slice, part, isCollected: collected))
                }
            }
        }
        if elements.isEmpty, indexed.isEmpty, rules.isEmpty, candidates.isEmpty { return -1 }
        var table = ArrayTable()
        table.element = try node(elements)
        table.rules = builder.range(from: builder.arrayRules.count, to: builder.arrayRules.count + rules.count)
        builder.arrayRules += rules
        table.collectors = builder.range(
            from: builder.collectors.count, to: builder.collectors.count + collectors.count)
        builder.collectors += collectors
        table.candidates = builder.range(
            from: builder.candidates.count, to: builder.candidates.count + candidates.count)
        builder.candidates += candidates
        var wanted: [IndexedElement] = []
        for (index, extra) in indexed.sorted(by: { $0.key < $1.key }) {
            let all = (elements + extra).sorted { $0.slice < $1.slice }
            wanted.append(IndexedElement(index: index, node: try node(all)))
        }
        table.indexed = builder.range(from: builder.elements.count, to: builder.elements.count + wanted.count)
        builder.elements += wanted
        table.endings = builder.range(
            from: builder.elementEndings.count, to: builder.elementEndings.count + missing.count)
        builder.elementEndings += missing
        builder.arrays.append(table)
        return Int32(builder.arrays.count - 1)
    }

    /// The demand on an element; nil if any JSON will do.
    private func element(of shape: Int, _ slice: Int) -> Demand? {
        guard let element = shapes.shapes[shape].element else { return nil }
        if shapes.shapes[shape].elements?.isUnique == true {
            return Demand(slice: slice, role: .unique(shape: element))
        }
        return demand(slice, part: element)
    }

    /// The constraint on an array as a whole, if there is one.
    private mutating func arrayRules(_ slice: Int, _ shape: Int) throws(PlanError) -> [ArrayRule] {
        guard let constraint = shapes.shapes[shape].elements else { return [] }
        return [
            ArrayRule(
                slice: Int32(slice), expected: builder.expectation(shapes.shapes[shape].expected),
                limit: try builder.limit(constraint))
        ]
    }

    /// What to do for a slice whose path has an index, if the array is too short; nil if nothing.
    private mutating func ending(
        _ index: Int, _ component: Int, _ slice: Int, _ part: Int, _ collected: Bool
    ) -> ElementEnding? {
        if !collected {
            return part < 0 ? ElementEnding(index: index, slice: Int32(slice), expected: -1) : nil
        }
        guard let expected = expectation(behind: component, of: slice, part) else { return nil }
        return ElementEnding(
            index: index, slice: Int32(slice), expected: builder.expectation("[\(index)]: \(expected)"))
    }

    /// The table entry of an element that is chosen (`[-1]`, `[?…]`).
    private mutating func candidate(
        _ component: Int, _ slice: Int, _ part: Int, isCollected: Bool
    ) throws(PlanError) -> CandidateTable {
        let path = path(slice, part)
        let rest = Array(path[(component + 1)...])
        var extraction = extractions[slice]
        extraction.type = part < 0 ? extractions[slice].type : parts[part].type
        extraction.path = FieldPath(components: (isCollected ? [.wildcard] : []) + rest)
        if isCollected { extraction.path.components[0].isOptional = path[component].isOptional }
        let tail = try tails.tail(extraction, shapes.types)
        var condition: Int32 = -1
        if case .first(let wanted) = path[component].step { condition = try tails.condition(wanted) }
        let name = FieldPath(components: [FieldPath.Component(path[component].step)]).description
        let expected = isCollected ? expectation(behind: component, of: slice, part) : nil
        return CandidateTable(
            slice: Int32(slice), part: Int32(part), condition: condition, tail: tail, isCollected: isCollected,
            expected: expected.map { builder.expectation("\(name): \($0)") } ?? -1,
            tooLarge: builder.expectation("\(name): an element of at most \(tails.limits.choiceBytes) bytes"))
    }
}
