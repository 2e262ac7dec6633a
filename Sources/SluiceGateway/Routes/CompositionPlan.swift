internal import SluiceContract
internal import SluiceJSON

/// `parts:` of a binding, compiled for serving. An object, because it is handed around with every composed answer.
final class CompositionPlan: Sendable {
    let parts: [PartPlan]
    /// Parts that can be asked at once.
    let first: [Int]
    /// Whether some part changes something.
    let writes: Bool
    /// All that the bindings of the parts say, for keys of what is stored.
    let text: String

    /// nil where the binding has no parts.
    init?(_ binding: Binding, _ common: RouteCommon) throws(PlanError) {
        guard let composition = binding.composition else { return nil }
        let names = Dictionary(zip(composition.parts.map(\.name), 0...)) { first, _ in first }
        let dependencies = composition.dependencies
        let sources = try composition.parts.indices.map { index throws(PlanError) in
            try PartSlices(of: composition.parts[index], at: index, in: composition, common)
        }
        var parts: [PartPlan] = []
        for (index, part) in composition.parts.enumerated() {
            let reading = PartPlan.Reading(binding: binding, parts: names, slices: sources)
            let dependents = dependencies.indices.filter { dependencies[$0].contains(index) }
            parts.append(
                try PartPlan(
                    part, at: index, waitsFor: dependencies[index].count, dependents: dependents,
                    slices: sources[index], reading, common))
        }
        self.parts = parts
        first = parts.indices.filter { parts[$0].waitsFor == 0 }
        writes = composition.parts.contains(where: \.writes)
        text = common.partsText(of: composition)
    }
}

/// Values of one part that requests of others are made of, cut out of it in one pass.
final class PartSlices: Sendable {
    /// nil where nobody needs any.
    let plan: Plan?
    /// What is cut out, in the order of the slices.
    private let wanted: [Wanted]

    /// A value, or one of each element of a list.
    struct Wanted: Hashable, Sendable {
        var path: FieldPath
        /// Whether the list is what it is a value of.
        var isEach: Bool
    }

    var count: Int { wanted.count }

    /// - Parameter position: of the part.
    init(
        of part: Composition.Part, at position: Int, in composition: Composition, _ common: RouteCommon
    ) throws(PlanError) {
        var wanted: [Wanted] = []
        for other in composition.parts {
            for want in Self.wants(of: other, from: part.name) where !wanted.contains(want) { wanted.append(want) }
        }
        self.wanted = wanted
        plan =
            try wanted.isEmpty
            ? nil
            : Plan(
                wanted.map { want in
                    Extraction(
                        path: want.path, type: want.path.hasWildcard ? .array(.scalar(.json)) : .scalar(.json))
                }, types: common.types, limits: common.limits, reportCount: 1)
    }

    /// What the request of a part is made of.
    private static func wants(of part: Composition.Part, from name: String) -> [Wanted] {
        part.references.compactMap { reference in
            if reference.name == part.alias, let each = part.each, each.name == name {
                return Wanted(path: path(of: reference, in: each), isEach: true)
            }
            guard reference.name == name, reference != part.each else { return nil }
            return Wanted(path: reference.path, isEach: false)
        }
    }

    private static func path(of reference: Composition.Reference, in each: Composition.Reference) -> FieldPath {
        FieldPath(components: each.path.components + [.wildcard] + reference.path.components)
    }

    /// Which slice a value is.
    func slice(of reference: Composition.Reference) -> Int? {
        wanted.firstIndex(of: Wanted(path: reference.path, isEach: false))
    }

    /// Which slice a value of each element is.
    func slice(of reference: Composition.Reference, in each: Composition.Reference) -> Int? {
        wanted.firstIndex(of: Wanted(path: Self.path(of: reference, in: each), isEach: true))
    }
}
