internal import SluiceContract
internal import SluiceJSON

/// Bindings that read values out of the same upstream answer: one plan cuts all values in one pass.
final class SiblingGroup: Sendable {
    /// Positions in the route table; the slices of the plan are numbered alike.
    let members: [Int]
    let plan: Plan

    /// - Returns: nil where the values do not fit into one plan; then each is cut alone.
    init?(_ members: [Int], _ configuration: Configuration, _ common: RouteCommon) {
        self.members = members
        let extractions = members.map { member in
            let binding = configuration.bindings[member]
            return Extraction(
                path: binding.parent ?? FieldPath(components: []), type: binding.value, unknown: binding.unknownKeys,
                keys: binding.keys, direction: .fromUpstream)
        }
        do throws(PlanError) {
            // Each binding's faults are reported to its own clients.
            plan = try Plan(
                extractions, types: common.types, limits: common.limits,
                reportCount: members.map { configuration.bindings[$0].reportCount }.max() ?? 0)
        } catch {
            return nil
        }
    }

    /// The places of all bindings that are in a group, by position in the route table.
    static func all(_ configuration: Configuration, _ common: RouteCommon) -> [Int: Place] {
        var places: [Int: Place] = [:]
        for members in configuration.siblingGroups {
            guard let group = SiblingGroup(members, configuration, common) else { continue }
            for (slice, member) in members.enumerated() { places[member] = Place(group: group, slice: slice) }
        }
        return places
    }

    /// The place of a binding in its group.
    struct Place: Sendable {
        let group: SiblingGroup
        let slice: Int
        /// The plan that cuts the values of the whole group.
        let answerPlan: AnswerPlan

        init(group: SiblingGroup, slice: Int) {
            self.group = group
            self.slice = slice
            answerPlan = AnswerPlan(group.plan, valueSlice: slice)
        }
    }
}
