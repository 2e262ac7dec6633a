import SluiceContract

extension PlanCompiler {
    /// A field of a composed object, as a slice sees it.
    struct Part {
        /// The field's path, from the object on.
        var path: [FieldPath.Component]
        /// Shape of the value at the end of the path; under a `*` that of the collected elements.
        var shape: Int
        var type: TypeExpression
        /// Whether a null on the path means that the field is absent.
        var isNullAbsent: Bool
    }

    /// Plans for the rest of the path behind chosen elements, and the conditions by which these are chosen.
    final class Tails {
        let limits: JSONLimits
        private let reportCount: Int
        private let depth: Int
        private(set) var plans: [Plan] = []
        private(set) var conditions: [ElementCondition] = []
        private var known: [Extraction: Int32] = [:]
        private var knownConditions: [FieldPath.Component.Condition: Int32] = [:]
        /// How deeply plans may be nested.
        private static let depthMost = 8

        /// - Parameter depth: how many plans are around this one.
        init(_ limits: JSONLimits, _ reportCount: Int, _ depth: Int) {
            self.limits = limits
            self.reportCount = reportCount
            self.depth = depth
        }

        func tail(_ extraction: Extraction, _ types: NamedTypes) throws(PlanError) -> Int32 {
            if let number = known[extraction] { return number }
            guard depth < Self.depthMost else { throw .endlessChoice }
            let plan = try Plan(
                [extraction], types, limits, reportCount: reportCount, endsEarly: false, depth: depth + 1)
            plans.append(plan)
            known[extraction] = Int32(plans.count - 1)
            return Int32(plans.count - 1)
        }

        func condition(_ condition: FieldPath.Component.Condition) throws(PlanError) -> Int32 {
            if let number = knownConditions[condition] { return number }
            guard depth < Self.depthMost else { throw .endlessChoice }
            let plan = try Plan(
                [Extraction(path: condition.path)], NamedTypes([]), limits, reportCount: 1, endsEarly: false,
                depth: depth + 1)
            conditions.append(ElementCondition(plan: plan, value: condition.value))
            knownConditions[condition] = Int32(conditions.count - 1)
            return Int32(conditions.count - 1)
        }
    }
}
