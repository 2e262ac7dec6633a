internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// One part of a composed binding, compiled: the route that it requests, and how its request is made.
final class PartPlan: Sendable {
    let name: String
    /// The name as the key of a member: `"user":`.
    let key: [UInt8]
    /// Position of the route that the part requests.
    let route: Int
    let method: [UInt8]
    let writes: Bool
    let isOptional: Bool
    /// The path and the query of the target, in the order in which they are written.
    let path: [Piece]
    let query: [Pair]
    /// How many placeholders of the route the path fills.
    let captureCount: Int
    /// The list (`each:`) whose elements each make a request.
    let each: Each?
    let atOnce: Int
    let body: ValueSource?
    /// Parts whose values this part's request uses.
    let needs: [Int]
    /// How many parts have to end before this one is requested.
    let waitsFor: Int
    /// Parts that wait for this one.
    let dependents: [Int]
    let slices: PartSlices

    struct Each: Sendable {
        /// The list: the part whose answer has it, and which slice of that answer it is.
        var part: Int
        var slice: Int
        /// The list as written in the configuration.
        var text: String
        /// The values that a request takes from its element.
        var values: PartSlices
    }

    enum Piece: Sendable {
        case text([UInt8])
        case value(ValueSource)
        /// The pieces between these two fill one placeholder of the route.
        case captureBegin, captureEnd
    }

    /// A parameter of the query; left out where its only value is absent.
    struct Pair: Sendable {
        var name: [UInt8]
        var value: [Piece]
        /// Whether several values are separated by commas.
        var isComma: Bool
    }

    enum ValueSource: Sendable {
        /// A parameter of the composed binding, by its position.
        case parameter(Int)
        /// A value from the answer of another part.
        case slice(part: Int, Int)
        /// A value from the element of the list.
        case element(Int)
        /// The client's request body.
        case request
    }

    /// Resolves the names in references.
    struct Reading {
        let binding: Binding
        let parts: [String: Int]
        let slices: [PartSlices]
        /// Values of the list's elements, for the part that is being compiled.
        var elements: PartSlices?

        func source(of reference: Composition.Reference, in part: Composition.Part) -> ValueSource? {
            if reference.name == part.alias { return elements?.slice(of: reference).map { .element($0) } }
            if let source = parts[reference.name] {
                return slices[source].slice(of: reference).map { .slice(part: source, $0) }
            }
            let sent = binding.parameters.filter { $0.location != .body }
            if let index = sent.firstIndex(where: { $0.name == reference.name }) { return .parameter(index) }
            return reference.name == Composition.requestName ? .request : nil
        }
    }

    init(
        _ part: Composition.Part, at position: Int, waitsFor: Int, dependents: [Int], slices: PartSlices,
        _ reading: Reading, _ common: RouteCommon
    ) throws(PlanError) {
        guard let target = part.target(among: common.bindings) else {
            throw .unconstrainable("part '\(part.name)': nothing is bound to \(part)")
        }
        let asked = common.bindings[target.binding]
        var reading = reading
        each = try Self.each(of: part, reading, common)
        reading.elements = each?.values
        (name, key) = (part.name, Array((JSONText.quote(part.name) + ":").utf8))
        route = target.binding
        method = Array(part.method.utf8)
        writes = part.writes
        isOptional = part.isOptional
        (self.waitsFor, self.dependents, self.slices) = (waitsFor, dependents, slices)
        path = Self.path(part, asked.path, reading)
        captureCount = target.captures.count
        query = part.query.map { item in
            let parameter = asked.parameters.first { $0.name == item.name }
            return Pair(
                name: Array(item.name.utf8), value: Self.pieces(item.value, part, reading),
                isComma: parameter?.style == .comma)
        }
        // Parts that write make their requests one by one, in the order of the list.
        atOnce = part.writes ? 1 : part.atOnce
        body = part.body.flatMap { reading.source(of: $0, in: part) }
        let names = part.references.filter { $0.name != part.alias }.compactMap { reading.parts[$0.name] }
        needs = Array(Set(names)).sorted()
    }

    private static func each(
        of part: Composition.Part, _ reading: Reading, _ common: RouteCommon
    ) throws(PlanError) -> Each? {
        guard let list = part.each, let source = reading.parts[list.name],
            let slice = reading.slices[source].slice(of: list)
        else { return nil }
        return Each(
            part: source, slice: slice, text: list.description,
            values: try PartSlices(ofElementsFor: part, common))
    }

    private static func path(_ part: Composition.Part, _ template: PathTemplate, _ reading: Reading) -> [Piece] {
        if part.path.isEmpty { return [.text([UInt8(ascii: "/")])] }
        var pieces: [Piece] = []
        for (segment, own) in zip(template.segments, part.path) {
            pieces.append(.text([UInt8(ascii: "/")]))
            let isWhole =
                segment.count == 1 && segment.first.map { if case .placeholder = $0 { true } else { false } } == true
            if isWhole { pieces.append(.captureBegin) }
            for piece in self.pieces(own, part, reading) {
                let isValue = if case .value = piece { true } else { false }
                if isValue, !isWhole { pieces += [.captureBegin, piece, .captureEnd] } else { pieces.append(piece) }
            }
            if isWhole { pieces.append(.captureEnd) }
        }
        return pieces
    }

    private static func pieces(_ text: Composition.Text, _ part: Composition.Part, _ reading: Reading) -> [Piece] {
        text.compactMap { piece in
            switch piece {
            case .text(let text): .text(Array(text.utf8))
            case .value(let reference): reading.source(of: reference, in: part).map { .value($0) }
            }
        }
    }
}
