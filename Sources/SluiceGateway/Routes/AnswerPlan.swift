internal import SluiceContract
internal import SluiceJSON

/// What is cut out of an upstream's answer in one pass: its value, a token to keep, or both. A class, because every
/// answer hands it around.
final class AnswerPlan: Sendable {
    let plan: Plan
    /// Which slice of the plan is the value; nil where the answer passes through untouched.
    let valueSlice: Int?
    let tokenSlice: Int?
    /// Which slice tells when the token expires.
    let expirySlice: Int?
    /// Slices that are read here and sent to no client; nil where there are none.
    let noted: NotedPlan?
    /// Members of the value that come from the answer's head; nil where there are none.
    let head: HeadParts?
    /// How the value's rows are laid out in a text; nil where the answer is a JSON document.
    let rows: RowPlan?
    /// How the answer is checked for drift, beside what clients get of it; nil where it is not.
    let drift: DriftPlan?

    /// A plan that several bindings share, as one of them sees it.
    init(_ plan: Plan, valueSlice: Int) {
        self.plan = plan
        self.valueSlice = valueSlice
        tokenSlice = nil
        expirySlice = nil
        noted = nil
        head = nil
        rows = nil
        drift = nil
    }

    /// - Parameters:
    ///   - isError: whether the plan is for a status from 400 on. Its value is the whole answer, because an error has
    ///     nothing at `parent:` or `keep:`.
    ///   - reported: how a 2xx answer tells that it is an error; nil where none does.
    ///   - pages: how the answer tells which page follows; nil where it is no page.
    /// - Returns: nil where nothing is cut out.
    init?(
        _ binding: Binding, value: TypeExpression?, isError: Bool = false, reported: ErrorRule? = nil,
        pages: PageRule? = nil, keys: KeyStyle, _ common: RouteCommon
    ) throws(PlanError) {
        let root = FieldPath(components: [])
        var extractions: [Extraction] = []
        let path = isError ? root : binding.valuePath
        if let value {
            let shown = binding.onDrift == .pass ? Self.passing(value, common.types) : value
            extractions.append(
                Extraction(
                    path: path, type: shown, unknown: binding.unknownKeys, keys: keys, direction: .fromUpstream))
        }
        drift = if let value { try DriftPlan(binding, value: value, at: path, keys: keys, common) } else { nil }
        valueSlice = value == nil ? nil : 0
        let keep = isError ? nil : binding.keep
        if let keep {
            extractions.append(
                Extraction(
                    path: keep.bearer, type: .optional(.scalar(.string)), unknown: .pass, keys: .verbatim,
                    direction: .fromUpstream))
        }
        tokenSlice = keep == nil ? nil : extractions.count - 1
        if let path = keep?.expires {
            extractions.append(
                Extraction(
                    path: path, type: .scalar(.json), unknown: .pass, keys: .verbatim, direction: .fromUpstream))
        }
        expirySlice = keep?.expires == nil ? nil : extractions.count - 1
        if extractions.isEmpty { return nil }
        head = if let value { try HeadParts(value, keys: keys, common.types) } else { nil }
        rows = try Self.rows(of: binding, isError ? nil : value, keys, common)
        let isPersisted = if case .persisted? = binding.graphQL { true } else { false }
        noted =
            value == nil
            ? nil : NotedPlan(isError ? nil : reported, pages, isPersisted: isPersisted, from: extractions.count)
        if let noted { extractions += noted.extractions }
        plan = try Plan(
            extractions, types: common.types, limits: Self.limits(of: rows, common), reportCount: binding.reportCount,
            endsEarly: binding.early, deciding: noted?.errors?.conditions ?? 0..<0)
    }

    /// With `on-drift: pass` the value is cut out but not checked (``DriftPlan``); an optional one may also be null.
    private static func passing(_ value: TypeExpression, _ types: NamedTypes) -> TypeExpression {
        types.isOptional(value) ? .optional(.scalar(.json)) : .scalar(.json)
    }

    /// Rows that go out as they arrive have no end to wait for: the limit holds for each row, not for the document.
    private static func limits(of rows: RowPlan?, _ common: RouteCommon) -> JSONLimits {
        var limits = common.limits
        if rows?.policy.delivery == .lines { limits.documentBytes = .max }
        return limits
    }

    private static func rows(
        of binding: Binding, _ value: TypeExpression?, _ keys: KeyStyle, _ common: RouteCommon
    ) throws(PlanError) -> RowPlan? {
        guard let policy = binding.rows, let value else { return nil }
        return try RowPlan(policy, value: value, types: common.types, keys: keys, rowBytesMax: common.rowBytesMax)
    }
}

/// Slices of an answer that tell whether it is an error, which page follows, and whether the server knows the persisted
/// query.
final class NotedPlan: Sendable {
    let errors: ErrorSlices?
    let pages: PageSlices?
    let persisted: PersistedSlices?
    /// Number of the first slice.
    let first: Int
    let extractions: [Extraction]

    /// nil where the binding reads none of these.
    init?(_ reported: ErrorRule?, _ rule: PageRule?, isPersisted: Bool, from first: Int) {
        self.first = first
        errors = reported.map { ErrorSlices($0, from: first) }
        let own = errors?.extractions ?? []
        pages = rule.map { PageSlices($0, from: first + own.count) }
        let both = own + (pages?.extractions ?? [])
        persisted = isPersisted ? PersistedSlices(from: first + both.count) : nil
        extractions = both + (persisted?.extractions ?? [])
        if extractions.isEmpty { return nil }
    }
}
