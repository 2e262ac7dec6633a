internal import SluiceContract
internal import SluiceJSON

/// What is taken out of an answer: its value, a token to keep, or both, in one pass.
struct AnswerPlan: Sendable {
    let plan: Plan
    /// Which slice of the plan is the value; nil where the answer passes through untouched.
    let valueSlice: Int?
    let tokenSlice: Int?
    /// What tells that the answer is an error, whatever its status says.
    let errors: ErrorSlices?
    /// What tells what follows a page.
    let pages: PageSlices?
    /// Slices that are read here and go to nobody.
    let noted: (first: Int, count: Int)?

    /// A plan for several bindings, as one of them sees it.
    init(_ plan: Plan, valueSlice: Int) {
        self.plan = plan
        self.valueSlice = valueSlice
        tokenSlice = nil
        errors = nil
        pages = nil
        noted = nil
    }

    /// - Parameters:
    ///   - isError: whether it is for a status from 400 on. Such a value is the whole answer, because what
    ///     `parent:` and `keep:` speak of is not there.
    ///   - reported: how an answer of 2xx tells that it is an error; nil where none does.
    /// - Returns: nil where nothing is taken out.
    init?(
        _ binding: Binding, value: TypeExpression?, isError: Bool = false, reported: ErrorRule? = nil,
        pages: PageRule? = nil,
        keys: KeyStyle,
        _ common: RouteCommon
    ) throws(PlanError) {
        let root = FieldPath(components: [])
        var extractions: [Extraction] = []
        if let value {
            extractions.append(
                Extraction(
                    path: isError ? root : binding.valuePath, type: value, unknown: binding.unknownKeys,
                    keys: keys, direction: .fromUpstream))
        }
        valueSlice = value == nil ? nil : 0
        let keep = isError ? nil : binding.keep
        if let keep {
            extractions.append(
                Extraction(
                    path: keep.bearer, type: .scalar(.string), unknown: .pass, keys: .verbatim,
                    direction: .fromUpstream))
        }
        tokenSlice = keep == nil ? nil : extractions.count - 1
        if extractions.isEmpty { return nil }
        let first = extractions.count
        if let reported, value != nil, !isError {
            let errors = ErrorSlices(reported, from: extractions.count)
            extractions += errors.extractions
            self.errors = errors
        } else {
            errors = nil
        }
        if let pages, value != nil, !isError {
            let slices = PageSlices(pages, from: extractions.count)
            extractions += slices.extractions
            self.pages = slices
        } else {
            self.pages = nil
        }
        noted = extractions.count > first ? (first, extractions.count - first) : nil
        plan = try Plan(
            extractions, types: common.types, limits: common.limits, reportCount: binding.reportCount,
            endsEarly: binding.early)
    }
}
