internal import SluiceContract
internal import SluiceJSON

/// Values that the requests of other parts use, cut out of the answer of one part, or of one element of a list.
final class PartSlices: Sendable {
    /// Path of each value.
    private let paths: [FieldPath]
    /// One pass for all paths; where one value lies inside another, a pass for each.
    let passes: [Pass]

    struct Pass: Sendable {
        let plan: Plan
        /// The slices that this pass cuts, in order.
        let slices: Range<Int>
    }

    var count: Int { paths.count }

    init(_ wanted: [FieldPath], _ common: RouteCommon) throws(PlanError) {
        var paths: [FieldPath] = []
        for path in wanted where !paths.contains(path) { paths.append(path) }
        self.paths = paths
        passes = try Self.passes(paths, common)
    }

    /// What the requests of all parts take from the answer of the part with this name.
    convenience init(
        of name: String, for parts: [Composition.Part], _ common: RouteCommon
    ) throws(PlanError) {
        let taken = parts.flatMap { part in part.references.filter { $0.name == name && $0.name != part.alias } }
        try self.init(taken.map(\.path), common)
    }

    /// What the request of a part takes from each element of its list.
    convenience init(ofElementsFor part: Composition.Part, _ common: RouteCommon) throws(PlanError) {
        try self.init(part.references.filter { $0.name == part.alias }.map(\.path), common)
    }

    private static func passes(_ paths: [FieldPath], _ common: RouteCommon) throws(PlanError) -> [Pass] {
        if paths.isEmpty { return [] }
        do throws(PlanError) {
            return [Pass(plan: try plan(paths[...], common), slices: 0..<paths.count)]
        } catch {
            var passes: [Pass] = []
            for index in paths.indices {
                passes.append(Pass(plan: try plan(paths[index...index], common), slices: index..<index + 1))
            }
            return passes
        }
    }

    private static func plan(_ paths: ArraySlice<FieldPath>, _ common: RouteCommon) throws(PlanError) -> Plan {
        try Plan(
            paths.map { Extraction(path: $0, type: $0.hasWildcard ? .array(.scalar(.json)) : .scalar(.json)) },
            types: common.types, limits: common.limits, reportCount: 1)
    }

    /// Which slice a value is.
    func slice(of reference: Composition.Reference) -> Int? { paths.firstIndex(of: reference.path) }
}
