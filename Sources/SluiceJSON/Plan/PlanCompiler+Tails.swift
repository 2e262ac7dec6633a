import SluiceContract

extension PlanCompiler {
    /// A field of an object that is put together, as a slice sees it.
    struct Part {
        /// From the object on.
        var path: [FieldPath.Component]
        /// Of the value at the end of the path; under a `*` of the collected elements.
        var shape: Int
        var type: TypeExpression
        /// Whether a null on the way means that it is absent.
        var isNullAbsent: Bool
    }

    /// Plans for what lies behind elements that are chosen, and what these are chosen by.
    final class Tails {
        let limits: JSONLimits
        private let reportCount: Int
        private let depth: Int
        private(set) var plans: [Plan] = []
        private(set) var conditions: [ElementCondition] = []
        private var known: [Extraction: Int32] = [:]
        private var knownConditions: [FieldPath.Component.Condition: Int32] = [:]
        /// Plans inside each other.
        private static let depthMost = 8

        /// - Parameter depth: plans around this one.
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
