import SluiceContract

/// Compiles extractions into one program. A node of it is a *set* of demands, at most one per slice, that meet on one
/// value; sets that recur become one node, so that recursive types end. This is the subset construction, done at load.
struct PlanCompiler {
    /// What one slice wants of a value.
    struct Demand: Hashable {
        var slice: Int
        var role: Role

        enum Role: Hashable {
            /// The value has to be followed from this component of a path on: of the slice's, or of a part's.
            case step(Int, part: Int, collected: Bool)
            /// The value has to be of this shape; `op` says whether something begins with it.
            case value(shape: Int, op: Op?)
            /// The value is an element of this shape, and no other element is its equal.
            case unique(shape: Int)
            /// The value is left out of the slice.
            case leftOut
        }

        /// What begins with a value.
        struct Op: Hashable {
            var kind: ValueOp.Kind
            var part = -1
        }
    }

    let extractions: [Extraction]
    let tails: Tails
    /// See ``Plan/init(_:types:limits:reportCount:endsEarly:deciding:)``.
    private let deciding: Range<Int>
    /// Fields of objects that are put together.
    var parts: [Part] = []
    /// Where they are in ``parts``.
    var composedObjects: [ComposedObject: [Int]] = [:]

    struct ComposedObject: Hashable {
        var shape: Int
        /// Of its first part.
        var bit: Int
    }

    private(set) var shapes: ShapeCompiler
    /// Shape of the value at the end of each path; under a `*` that of the collected elements.
    private(set) var wanted: [Int] = []
    private var isNullAbsent: [Bool] = []
    private var known: [[Demand]: Int32] = [[]: Node.unwanted]
    /// Sets that have their number, and whose nodes are still to be made. The stack would not do for deep types.
    private var waiting: [(demands: [Demand], number: Int32)] = []
    var builder = PlanBuilder()

    init(
        _ extractions: [Extraction], _ types: NamedTypes, _ tails: Tails, deciding: Range<Int> = 0..<0
    ) throws(PlanError) {
        guard extractions.count <= 64 else { throw .tooManyExtractions(extractions.count) }
        self.extractions = extractions
        self.tails = tails
        self.deciding = deciding
        shapes = ShapeCompiler(types)
        for extraction in extractions {
            let options = ShapeCompiler.Options(
                unknown: extraction.unknown, keys: extraction.keys, direction: extraction.direction)
            let type = extraction.type ?? .scalar(.json)
            let shape = try shapes.shape(of: type, options)
            wanted.append(try Self.wanted(shape, at: extraction.path.components, type, shapes))
            isNullAbsent.append(shapes.isOptional(type))
        }
    }

    /// Shape of what stands at the end of a path that leads to a value of this shape.
    static func wanted(
        _ shape: Int, at path: [FieldPath.Component], _ type: TypeExpression, _ shapes: ShapeCompiler
    ) throws(PlanError) -> Int {
        guard path.contains(where: { $0.step == .wildcard }), !shapes.shapes[shape].isAny else { return shape }
        guard let element = shapes.shapes[shape].element else { throw .wildcardNeedsArray(type.notation) }
        if shapes.shapes[shape].elements != nil { throw .wildcardCounts(type.notation) }
        return element
    }

    /// Compiles all; the result is the number of the node that the whole document has to meet.
    mutating func compile() throws(PlanError) -> Int32 {
        var root: [Demand] = []
        for slice in extractions.indices { root.append(demand(slice, after: 0, part: -1, collected: false)) }
        let first = try node(root)
        var next = 0
        while next < waiting.count {
            let (demands, number) = waiting[next]
            next += 1
            let node = try made(of: demands)
            builder.nodes[Int(number)] = node
        }
        return first
    }

    func demand(_ slice: Int, after component: Int, part: Int, collected: Bool) -> Demand {
        if component < path(slice, part).count {
            return Demand(slice: slice, role: .step(component, part: part, collected: collected))
        }
        let shape = part < 0 ? wanted[slice] : parts[part].shape
        guard collected else {
            let op = part < 0 ? Demand.Op(kind: .capture) : Demand.Op(kind: .part, part: part)
            return Demand(slice: slice, role: .value(shape: shape, op: op))
        }
        let skipsNull = isOptional(component - 1, slice, part) && !shapes.shapes[shape].accepts(.null)
        return Demand(
            slice: slice, role: .value(shape: shape, op: Demand.Op(kind: skipsNull ? .collectUnlessNull : .collect)))
    }

    /// Slices for which a key that this one names may stand once.
    func owners(with slice: Int) -> UInt64 {
        deciding.contains(slice) ? 1 << UInt64(extractions.count) &- 1 : 1 << UInt64(slice)
    }

    /// The way to the slice, or to a part of it.
    func path(_ slice: Int, _ part: Int) -> [FieldPath.Component] {
        part < 0 ? extractions[slice].path.components : parts[part].path
    }

    func step(_ component: Int, _ slice: Int, _ part: Int) -> FieldPath.Component.Step {
        path(slice, part)[component].step
    }

    /// Whether the path says that this component may lead nowhere.
    func isOptional(_ component: Int, _ slice: Int, _ part: Int) -> Bool {
        component >= 0 && path(slice, part)[component].isOptional
    }

    /// A demand on a part of a value of known shape; nil where anything will do.
    func demand(_ slice: Int, part shape: Int) -> Demand? {
        shapes.shapes[shape].isAny ? nil : Demand(slice: slice, role: .value(shape: shape, op: nil))
    }

    /// The number of a node that may still have to be made.
    mutating func node(_ demands: [Demand]) throws(PlanError) -> Int32 {
        if let number = known[demands] { return number }
        guard builder.nodes.count < 1 << 16 else { throw .tooLarge }
        let number = Int32(builder.nodes.count)
        known[demands] = number
        builder.nodes.append(Node())
        waiting.append((demands, number))
        return number
    }

    private mutating func made(of demands: [Demand]) throws(PlanError) -> Node {
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
        return node
    }

    private func converts(_ demand: Demand) -> Bool {
        guard let shape = demand.shape else { return false }
        return (shapes.shapes[shape].strings + shapes.shapes[shape].numbers).contains { $0.conversion != nil }
    }

    private mutating func operations(of demands: [Demand]) -> TableRange {
        let start = builder.valueOps.count
        for demand in demands {
            switch demand.role {
            case .value(_, let op?):
                builder.valueOps.append(
                    ValueOp(slice: Int32(demand.slice), kind: op.kind, part: Int32(op.part)))
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
        case .step(let component, let part, let collected):
            let (through, expected) = container(of: component, demand.slice, part)
            if kind == through { return nil }
            let isNullAbsent = part < 0 ? isNullAbsent[demand.slice] : parts[part].isNullAbsent
            let isAbsent = collected ? isOptional(component - 1, demand.slice, part) : isNullAbsent
            return kind == .null && isAbsent ? -1 : builder.expectation(expected)
        case .unique(let number):
            let shape = shapes.shapes[number]
            return shape.accepts(kind) && (kind != .bool || shape.onlyTruth == nil)
                ? nil : builder.expectation(shape.expected)
        case .value(let number, let op):
            let shape = shapes.shapes[number]
            if shape.accepts(kind), kind != .bool || shape.onlyTruth == nil { return nil }
            return kind == .null && op?.kind == .collectUnlessNull ? -1 : builder.expectation(shape.expected)
        }
    }

    /// What a value has to be so that this component of the path can be followed in it.
    private func container(of component: Int, _ slice: Int, _ part: Int) -> (kind: KindSet, name: String) {
        if case .key = step(component, slice, part) { return (.object, "object") }
        return (.array, "array")
    }

    /// What has to stand behind this component under a `*`, where it may not be absent.
    func expectation(behind component: Int, of slice: Int, _ part: Int) -> String? {
        if isOptional(component, slice, part) { return nil }
        let next = component + 1
        return next < path(slice, part).count
            ? container(of: next, slice, part).name
            : shapes.shapes[part < 0 ? wanted[slice] : parts[part].shape].expected
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
