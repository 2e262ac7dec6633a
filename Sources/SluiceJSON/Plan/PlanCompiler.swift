import SluiceContract

/// Compiles extractions into one program. A node of it is a *set* of demands, at most one per slice, that meet on one
/// value; sets that recur become one node, so that recursive types end. This is the subset construction, done at load.
struct PlanCompiler {
    /// What one slice wants of a value.
    struct Demand: Hashable {
        var slice: Int
        var role: Role

        enum Role: Hashable {
            /// The value has to be followed from this component of the slice's path on.
            case step(Int, collected: Bool)
            /// The value has to be of this shape; `op` says whether the slice begins with it.
            case value(shape: Int, op: ValueOp.Kind?)
            /// The value is an element of this shape, and no other element is its equal.
            case unique(shape: Int)
            /// The value is left out of the slice.
            case leftOut
        }
    }

    let extractions: [Extraction]
    private(set) var shapes: ShapeCompiler
    /// Shape of the value at the end of each path; under a `*` that of the collected elements.
    private(set) var wanted: [Int] = []
    private var isNullAbsent: [Bool] = []
    private var known: [[Demand]: Int32] = [[]: Node.unwanted]
    var builder = PlanBuilder()

    init(_ extractions: [Extraction], _ types: NamedTypes) throws(PlanError) {
        guard extractions.count <= 64 else { throw .tooManyExtractions(extractions.count) }
        self.extractions = extractions
        shapes = ShapeCompiler(types)
        for extraction in extractions {
            let options = ShapeCompiler.Options(
                unknown: extraction.unknown, keys: extraction.keys, direction: extraction.direction)
            let type = extraction.type ?? .scalar(.json)
            var shape = try shapes.shape(of: type, options)
            if extraction.path.hasWildcard, !shapes.shapes[shape].isAny {
                guard let element = shapes.shapes[shape].element else { throw .wildcardNeedsArray(type.notation) }
                if shapes.shapes[shape].elements != nil { throw .wildcardCounts(type.notation) }
                shape = element
            }
            wanted.append(shape)
            isNullAbsent.append(shapes.isOptional(type))
        }
    }

    /// Compiles all; the result is the number of the node that the whole document has to meet.
    mutating func compile() throws(PlanError) -> Int32 {
        var root: [Demand] = []
        for slice in extractions.indices { root.append(demand(slice, after: 0, collected: false)) }
        return try node(root)
    }

    func demand(_ slice: Int, after component: Int, collected: Bool) -> Demand {
        if component < extractions[slice].path.components.count {
            return Demand(slice: slice, role: .step(component, collected: collected))
        }
        guard collected else { return Demand(slice: slice, role: .value(shape: wanted[slice], op: .capture)) }
        let skipsNull = isOptional(component - 1, slice) && !shapes.shapes[wanted[slice]].accepts(.null)
        return Demand(slice: slice, role: .value(shape: wanted[slice], op: skipsNull ? .collectUnlessNull : .collect))
    }

    /// Whether the path says that this component may lead nowhere.
    private func isOptional(_ component: Int, _ slice: Int) -> Bool {
        component >= 0 && extractions[slice].path.components[component].isOptional
    }

    /// A demand on a part of a value of known shape; nil where anything will do.
    func demand(_ slice: Int, part shape: Int) -> Demand? {
        shapes.shapes[shape].isAny ? nil : Demand(slice: slice, role: .value(shape: shape, op: nil))
    }

    mutating func node(_ demands: [Demand]) throws(PlanError) -> Int32 {
        if let number = known[demands] { return number }
        guard builder.nodes.count < 1 << 16 else { throw .tooLarge }
        let number = Int32(builder.nodes.count)
        known[demands] = number
        builder.nodes.append(Node())
        var node = Node()
        node.ops = operations(of: demands)
        refuse(demands, in: &node)
        node.isUnique = demands.contains { if case .unique = $0.role { true } else { false } }
        node.strings = try checks(demands, of: .string)
        node.numbers = try checks(demands, of: .number)
        node.converts = demands.contains(where: converts)
        let isStringChecked = node.strings.count > 0 || node.isUnique || node.converts || node.refused.contains(.string)
        node.stringCheck = isStringChecked ? .rules : .none
        node.numberCheck = node.isUnique || node.converts ? .rules : numberCheck(node)
        node.choice = try choice(demands)
        node.object = node.choice >= 0 ? -1 : try object(demands)
        node.array = try array(demands)
        builder.nodes[Int(number)] = node
        return number
    }

    private func converts(_ demand: Demand) -> Bool {
        guard let shape = demand.shape else { return false }
        return (shapes.shapes[shape].strings + shapes.shapes[shape].numbers).contains { $0.conversion != nil }
    }

    private mutating func operations(of demands: [Demand]) -> TableRange {
        let start = builder.valueOps.count
        for demand in demands {
            switch demand.role {
            case .value(_, let op?): builder.valueOps.append(ValueOp(slice: Int32(demand.slice), kind: op))
            case .leftOut: builder.valueOps.append(ValueOp(slice: Int32(demand.slice), kind: .leaveOut))
            case .value, .unique, .step: break
            }
            if converts(demand) { builder.valueOps.append(ValueOp(slice: Int32(demand.slice), kind: .convert)) }
        }
        return builder.range(from: start, to: builder.valueOps.count)
    }
}

// MARK: Kinds and scalars

extension PlanCompiler {
    private mutating func refuse(_ demands: [Demand], in node: inout Node) {
        let start = builder.refusals.count
        for demand in demands {
            for kind in KindSet.all {
                guard let expected = expectation(of: demand, refusing: kind) else { continue }
                node.refused.insert(kind)
                builder.refusals.append(
                    Refusal(
                        kind: kind, slice: Int32(demand.slice), expected: expected,
                        spared: kind == .bool ? demand.shape.flatMap { shapes.shapes[$0].onlyTruth } : nil))
            }
        }
        node.refusals = builder.range(from: start, to: builder.refusals.count)
    }

    /// What is expected instead of a value of this kind; nil where the kind is accepted.
    private mutating func expectation(of demand: Demand, refusing kind: KindSet) -> Int32? {
        switch demand.role {
        case .leftOut: return nil
        case .step(let component, let collected):
            let (through, expected) = container(of: component, demand.slice)
            if kind == through { return nil }
            let isAbsent = collected ? isOptional(component - 1, demand.slice) : isNullAbsent[demand.slice]
            return kind == .null && isAbsent ? -1 : builder.expectation(expected)
        case .unique(let number):
            let shape = shapes.shapes[number]
            return shape.accepts(kind) && (kind != .bool || shape.onlyTruth == nil)
                ? nil : builder.expectation(shape.expected)
        case .value(let number, let op):
            let shape = shapes.shapes[number]
            if shape.accepts(kind), kind != .bool || shape.onlyTruth == nil { return nil }
            return kind == .null && op == .collectUnlessNull ? -1 : builder.expectation(shape.expected)
        }
    }

    /// What a value has to be so that this component of the path can be followed in it.
    private func container(of component: Int, _ slice: Int) -> (kind: KindSet, name: String) {
        if case .key = extractions[slice].path.components[component].step { return (.object, "object") }
        return (.array, "array")
    }

    /// What has to stand behind this component under a `*`, where it may not be absent.
    func expectation(behind component: Int, of slice: Int) -> String? {
        if isOptional(component, slice) { return nil }
        let next = component + 1
        return next < extractions[slice].path.components.count
            ? container(of: next, slice).name : shapes.shapes[wanted[slice]].expected
    }

    private mutating func checks(_ demands: [Demand], of kind: KindSet) throws(PlanError) -> TableRange {
        var rules: [CheckRule] = []
        for demand in demands {
            guard let number = demand.shape else { continue }
            let shape = shapes.shapes[number]
            let alternatives = kind == .string ? shape.strings : shape.numbers
            let isFree = alternatives.contains {
                ($0.grammar == .anyString || $0.grammar == .anyNumber) && $0.constraint == nil
            }
            let converts = alternatives.contains { $0.conversion != nil }
            if shape.isAny || (isFree && !converts) || alternatives.isEmpty { continue }
            rules.append(
                CheckRule(
                    slice: Int32(demand.slice), expected: builder.expectation(shape.expected),
                    alternatives: try builder.store(alternatives)))
        }
        let start = builder.rules.count
        builder.rules.append(contentsOf: rules)
        return builder.range(from: start, to: builder.rules.count)
    }
}

extension PlanCompiler.Demand {
    /// What the value has to be, where the demand is on the whole of it.
    var shape: Int? {
        switch role {
        case .value(let shape, _), .unique(let shape): shape
        case .step, .leftOut: nil
        }
    }
}

extension Shape {
    /// The one of `true` and `false` that is accepted, where the other is not.
    var onlyTruth: Token.Word? {
        if isAny || acceptsTrue == acceptsFalse { return nil }
        return acceptsTrue ? .true : .false
    }

    func accepts(_ kind: KindSet) -> Bool {
        if isAny { return true }
        return switch kind {
        case .string: !strings.isEmpty
        case .number: !numbers.isEmpty
        case .object: object != nil || choice != nil
        case .array: element != nil
        case .bool: acceptsTrue || acceptsFalse
        default: acceptsNull
        }
    }
}

extension PlanCompiler {
    private func numberCheck(_ node: Node) -> ScalarCheck {
        if node.refused.contains(.number) { return .rules }
        if node.numbers.count == 0 { return .none }
        let isInteger = node.numbers.indices.allSatisfy { number in
            builder.rules[number].alternatives.indices.contains {
                builder.alternatives[$0].grammar == .int64 && builder.alternatives[$0].limit < 0
            }
        }
        return isInteger ? .integer : .rules
    }
}

// MARK: Arrays

extension PlanCompiler {
    private mutating func array(_ demands: [Demand]) throws(PlanError) -> Int32 {
        var elements: [Demand] = []
        var indexed: [Int: [Demand]] = [:]
        var missing: [ElementEnding] = []
        var rules: [ArrayRule] = []
        var table = ArrayTable()
        for demand in demands {
            switch demand.role {
            case .leftOut: break
            case .value(let shape, _), .unique(let shape):
                rules += try arrayRules(demand.slice, shape)
                if let part = element(of: shape, demand.slice) { elements.append(part) }
            case .step(let component, let collected):
                switch extractions[demand.slice].path.components[component].step {
                case .key: break
                case .wildcard:
                    elements.append(self.demand(demand.slice, after: component + 1, collected: true))
                    if !collected { table.collected |= 1 << UInt64(demand.slice) }
                case .index(let index):
                    indexed[index, default: []]
                        .append(self.demand(demand.slice, after: component + 1, collected: collected))
                    if let ending = ending(index, component, demand.slice, collected) { missing.append(ending) }
                }
            }
        }
        if elements.isEmpty && indexed.isEmpty && rules.isEmpty { return -1 }
        table.element = try node(elements)
        table.rules = builder.range(from: builder.arrayRules.count, to: builder.arrayRules.count + rules.count)
        builder.arrayRules += rules
        var wanted: [IndexedElement] = []
        for (index, extra) in indexed.sorted(by: { $0.key < $1.key }) {
            let all = (elements + extra).sorted { $0.slice < $1.slice }
            wanted.append(IndexedElement(index: index, node: try node(all)))
        }
        let start = builder.elements.count
        builder.elements.append(contentsOf: wanted)
        table.indexed = builder.range(from: start, to: builder.elements.count)
        let endingStart = builder.elementEndings.count
        builder.elementEndings.append(contentsOf: missing)
        table.endings = builder.range(from: endingStart, to: builder.elementEndings.count)
        builder.arrays.append(table)
        return Int32(builder.arrays.count - 1)
    }

    /// What an element has to be; nil where anything will do.
    private func element(of shape: Int, _ slice: Int) -> Demand? {
        guard let element = shapes.shapes[shape].element else { return nil }
        if shapes.shapes[shape].elements?.isUnique == true {
            return Demand(slice: slice, role: .unique(shape: element))
        }
        return demand(slice, part: element)
    }

    /// What is asked of an array as a whole.
    private mutating func arrayRules(_ slice: Int, _ shape: Int) throws(PlanError) -> [ArrayRule] {
        guard let constraint = shapes.shapes[shape].elements else { return [] }
        return [
            ArrayRule(
                slice: Int32(slice), expected: builder.expectation(shapes.shapes[shape].expected),
                limit: try builder.limit(constraint))
        ]
    }

    /// What an array that is too short means for a slice that follows an index; nil where it means nothing.
    private mutating func ending(
        _ index: Int, _ component: Int, _ slice: Int, _ collected: Bool
    ) -> ElementEnding? {
        guard collected else { return ElementEnding(index: index, slice: Int32(slice), expected: -1) }
        guard let expected = expectation(behind: component, of: slice) else { return nil }
        return ElementEnding(
            index: index, slice: Int32(slice), expected: builder.expectation("[\(index)]: \(expected)"))
    }
}
