internal import SluiceContract
internal import SluiceJSON

/// What is taken out of an answer: its value, a token to keep, or both, in one pass.
struct AnswerPlan: Sendable {
    let plan: Plan
    /// Which slice of the plan is the value; nil where the answer passes through untouched.
    let valueSlice: Int?
    let tokenSlice: Int?

    /// A plan for several bindings, as one of them sees it.
    init(_ plan: Plan, valueSlice: Int) {
        self.plan = plan
        self.valueSlice = valueSlice
        tokenSlice = nil
    }

    /// - Returns: nil where nothing is taken out.
    init?(
        _ binding: Binding, value: TypeExpression?, keys: KeyStyle, types: [TypeDefinition], limits: JSONLimits
    ) throws(PlanError) {
        var extractions: [Extraction] = []
        if let value {
            extractions.append(
                Extraction(
                    path: binding.parent ?? FieldPath(components: []), type: value, unknown: binding.unknownKeys,
                    keys: keys, direction: .fromUpstream))
        }
        valueSlice = value == nil ? nil : 0
        if let keep = binding.keep {
            extractions.append(
                Extraction(
                    path: keep.bearer, type: .scalar(.string), unknown: .pass, keys: .verbatim,
                    direction: .fromUpstream))
        }
        tokenSlice = binding.keep == nil ? nil : extractions.count - 1
        if extractions.isEmpty { return nil }
        plan = try Plan(
            extractions, types: types, limits: limits, reportCount: binding.reportCount, endsEarly: binding.early)
    }
}
