internal import SluiceContract
internal import SluiceJSON

/// `error:` of a binding and its upstream, compiled.
struct ErrorRules: Sendable {
    private let all: ErrorPaths
    private let byStatus: [Int: ErrorPaths]
    /// How a 2xx answer tells that it is an error; nil where none does.
    let reported: ErrorRule?

    init(_ binding: Binding, _ upstream: Upstream) {
        let own = binding.error ?? ErrorPaths()
        let usual = binding.graphQL == nil ? ErrorPaths() : Self.graphQL
        all = ErrorPaths(
            message: own.message ?? upstream.error.message ?? usual.message,
            code: own.code ?? upstream.error.code ?? usual.code)
        byStatus = upstream.errorByStatus.merging(binding.errorByStatus) { _, own in own }
        var reported = binding.reportedError ?? upstream.reportedError
        if binding.graphQL != nil, reported.when == nil, reported.unless == nil {
            reported.when = [ReportedError.Condition(FieldPath(components: [.key("errors")]))]
        }
        self.reported = reported.isActive ? ErrorRule(reported, all, isStored: binding.cache != nil) : nil
    }

    /// Where GraphQL has the message and the code (GraphQL, October 2021, §7.1.2).
    private static let graphQL: ErrorPaths = {
        let first: [FieldPath.Component] = [.key("errors"), .index(0)]
        return ErrorPaths(
            message: FieldPath(components: first + [.key("message")]),
            code: FieldPath(components: first + [.key("extensions"), .key("code")]))
    }()

    /// Where an error with this status has its message and its code.
    func paths(for status: Int) -> ErrorPaths { byStatus[status] ?? all }
}

/// What makes an answer with a status of success an error, and how that error is passed on.
struct ErrorRule: Sendable {
    let when: [ReportedError.Condition]
    let unless: [ReportedError.Condition]
    let message: ErrorText?
    let code: ErrorText?
    let status: Int
    let codes: [String: Int]
    /// Whether an error keeps the data beside it. Never in stored answers: partial data would pass for complete.
    let keepsData: Bool

    init(_ reported: ReportedError, _ texts: ErrorPaths, isStored: Bool) {
        when = reported.when ?? []
        unless = reported.unless ?? []
        message = texts.message
        code = texts.code
        status = reported.status ?? Problem.Kind.reportedError.status
        codes = Dictionary((reported.codes ?? []).map { ($0.code, $0.status) }) { first, _ in first }
        keepsData = reported.keepsData == true && !isStored
    }
}

/// The slices of a plan that tell of an error: first the conditions, then message and code.
struct ErrorSlices: Sendable {
    let rule: ErrorRule
    /// Number of the first slice.
    let first: Int
    let extractions: [Extraction]
    let messageSlice: Int?
    let codeSlice: Int?
    /// Numbers of the slices that decide whether the answer is an error.
    var conditions: Range<Int> { first..<first + rule.when.count + rule.unless.count }

    init(_ rule: ErrorRule, from first: Int) {
        self.rule = rule
        self.first = first
        var paths = (rule.when + rule.unless).map(\.path)
        messageSlice = rule.message?.path == nil ? nil : first + paths.count
        if let path = rule.message?.path { paths.append(path) }
        codeSlice = rule.code?.path == nil ? nil : first + paths.count
        if let path = rule.code?.path { paths.append(path) }
        extractions = paths.map { Extraction(path: $0, type: .optional(.scalar(.json))) }
    }
}
