import SluiceContract

/// Compiles extractions into one program. Each node is a *set* of demands on one value, at most one per slice; sets
/// that recur become one node, so that recursive types end. This is the subset construction, done at load.
struct PlanCompiler {
    /// What one slice demands of a value.
    struct Demand: Hashable {
        var slice: Int
        var role: Role

        enum Role: Hashable {
            /// A path goes on in the value with this component: the path of the slice, or of a part.
            case step(Int, part: Int, collected: Bool)
            /// The value has to be of this shape; `op` is what the slice does with it, if anything.
            case value(shape: Int, op: Op?)
            /// The value is an element of this shape that has to differ from all other elements.
            case unique(shape: Int)
            /// The value is left out of the slice.
            case leftOut
        }

        /// What a slice does with a value.
        struct Op: Hashable {
            var kind: ValueOp.Kind
            var part = -1
        }
    }

    let extractions: [Extraction]
    let tails: Tails
    /// See ``Plan/init(_:types:limits:reportCount:endsEarly:deciding:)``.
    private let deciding: Range<Int>
    /// Fields of composed objects.
    var parts: [Part] = []
    /// For each composed object, the numbers of its fields in ``parts``.
    var composedObjects: [ComposedObject: [Int]] = [:]

    struct ComposedObject: Hashable {
        var shape: Int
        /// Bit of the object's first part.
        var bit: Int
    }

    private(set) var shapes: ShapeCompiler
    /// Shape of the value at the end of each path; under a `*` that of the collected elements.
    private(set) var wanted: [Int] = []
    private var isNullAbsent: [Bool] = []
    private var known: [[Demand]: Int32] = [[]: Node.unwanted]
    /// Sets that have a number but no node yet. A queue, because deep types would overflow the stack in a recursion.
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
            isNullAbsent.append(shapes.types.isOptional(type))
        }
    }

    /// Shape of the value at the end of a path whose result has this shape: under a `*` that of the array's elements.
    static func wanted(
        _ shape: Int, at path: [FieldPath.Component], _ type: TypeExpression, _ shapes: ShapeCompiler
    ) throws(PlanError) -> Int {
        guard path.contains(where: { $0.step == .wildcard }), !shapes.shapes[shape].isAny else { return shape }
        guard let element = shapes.shapes[shape].element else { throw .wildcardNeedsArray(type.notation) }
        if shapes.shapes[shape].elements != nil { throw .wildcardCounts(type.notation) }
        return element
    }

    /// Compiles all extractions; the result is the number of the whole document's node.
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

    /// Slices that fail if a key that this slice names is there twice.
    func owners(with slice: Int) -> UInt64 {
        deciding.contains(slice) ? 1 << UInt64(extractions.count) &- 1 : 1 << UInt64(slice)
    }

    /// The path of the slice, or of a part of it.
    func path(_ slice: Int, _ part: Int) -> [FieldPath.Component] {
        part < 0 ? extractions[slice].path.components : parts[part].path
    }

    func step(_ component: Int, _ slice: Int, _ part: Int) -> FieldPath.Component.Step {
        path(slice, part)[component].step
    }

    /// Whether the path marks this component as optional.
    func isOptional(_ component: Int, _ slice: Int, _ part: Int) -> Bool {
        component >= 0 && path(slice, part)[component].isOptional
    }

    /// A demand on a member or element of this shape; nil if any JSON will do.
    func demand(_ slice: Int, part shape: Int) -> Demand? {
        shapes.shapes[shape].isAny ? nil : Demand(slice: slice, role: .value(shape: shape, op: nil))
    }

    /// The number of the node for these demands, which may still have to be made.
    mutating func node(_ demands: [Demand]) throws(PlanError) -> Int32 {
        if let number = known[demands] { return number }
        guard builder.nodes.count < 1 << 16 else { throw .tooManyStates }
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
                        spared: kind == .bool ? demand.shape.flatMap { shapes.shapes[$0].onlyTruth } : nil,
                        part: demand.part))
            }
        }
        node.refusals = builder.range(from: start, to: builder.refusals.count)
    }

    /// What is expected instead of a value of this kind; nil if the kind is accepted.
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

    /// The kind of value that this component of the path leads into.
    private func container(of component: Int, _ slice: Int, _ part: Int) -> (kind: KindSet, name: String) {
        if case .key = step(component, slice, part) { return (.object, "object") }
        return (.array, "array")
    }

    /// What is expected behind this component under a `*`; nil if it may be absent.
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
    /// The shape of the value, if the demand is on the value as a whole.
    var shape: Int? {
        switch role {
        case .value(let shape, _), .unique(let shape): shape
        case .step, .leftOut: nil
        }
    }

    /// The part whose path goes on in the value; negative if none does.
    fileprivate var part: Int32 {
        if case .step(_, let part, _) = role { Int32(part) } else { -1 }
    }
}

extension Shape {
    /// The only one of `true` and `false` that is accepted; nil if both or none are.
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
