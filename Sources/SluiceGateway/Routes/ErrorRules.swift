internal import SluiceContract
internal import SluiceJSON

/// `error:` of a binding and its upstream, compiled.
struct ErrorRules: Sendable {
    private let all: ErrorPaths
    private let byStatus: [Int: ErrorPaths]
    /// How an answer of 2xx tells that it is an error; nil where none does.
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

    /// Where GraphQL has them (GraphQL, October 2021, §7.1.2).
    private static let graphQL: ErrorPaths = {
        let first: [FieldPath.Component] = [.key("errors"), .index(0)]
        return ErrorPaths(
            message: FieldPath(components: first + [.key("message")]),
            code: FieldPath(components: first + [.key("extensions"), .key("code")]))
    }()

    /// Where the error with this status has its texts.
    func paths(for status: Int) -> ErrorPaths { byStatus[status] ?? all }
}

/// What makes an answer with a status of success an error, and what becomes of it.
struct ErrorRule: Sendable {
    let when: [ReportedError.Condition]
    let unless: [ReportedError.Condition]
    let message: ErrorText?
    let code: ErrorText?
    let status: Int
    let codes: [String: Int]
    /// Never of what is stored: it would pass for whole.
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

/// The slices of a plan that tell of an error: conditions first, then the texts.
struct ErrorSlices: Sendable {
    let rule: ErrorRule
    /// Number of the first one.
    let first: Int
    let extractions: [Extraction]
    let messageSlice: Int?
    let codeSlice: Int?
    /// Those of them that decide whether it is an error.
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
