public import SluiceContract

/// `error:` of an upstream or binding: where an API keeps its errors, for all statuses and for particular ones, and how
/// it reports one with a status of success.
public struct ErrorSettings: Hashable, Sendable {
    public var all: ErrorPaths
    public var byStatus: [Int: ErrorPaths]
    public var reported: ReportedError

    public init(
        all: ErrorPaths = ErrorPaths(), byStatus: [Int: ErrorPaths] = [:], reported: ReportedError = ReportedError()
    ) {
        self.all = all
        self.byStatus = byStatus
        self.reported = reported
    }

    /// What a layer says, on top of what was inherited.
    func added(to inherited: ErrorSettings, _ scope: Scope) -> ErrorSettings {
        checkParts(scope)
        func merged(_ own: ErrorPaths, _ other: ErrorPaths?) -> ErrorPaths {
            ErrorPaths(
                message: own.message ?? other?.message, code: own.code ?? other?.code,
                status: own.status ?? other?.status)
        }
        var result = ErrorSettings(
            all: merged(all, inherited.all), byStatus: inherited.byStatus,
            reported: reported.added(to: inherited.reported))
        for (status, own) in byStatus { result.byStatus[status] = merged(own, inherited.byStatus[status]) }
        // What a status leaves unsaid is as for all.
        for (status, own) in result.byStatus { result.byStatus[status] = merged(own, result.all) }
        if reported.codes != nil { result.checkCodes(scope) }
        return result
    }
}

extension ErrorSettings: Checked {
    public func check(_ scope: Scope) {
        checkParts(scope)
        checkCodes(scope)
    }

    private func checkParts(_ scope: Scope) {
        Self.check(all, scope)
        for (status, paths) in byStatus.sorted(by: { $0.key < $1.key }) {
            let scope = scope / String(status)
            if status < 400 { scope.mistake("\(status) is no error", expected: "a status from 400 to 599") }
            Self.check(paths, scope)
        }
        checkReported(scope)
    }

    private static func check(_ paths: ErrorPaths, _ scope: Scope) {
        if let text = paths.message { check(text, scope / "message") }
        if let text = paths.code { check(text, scope / "code") }
        if let status = paths.status { check(status, scope / "status") }
    }

    private static func check(_ text: ErrorText, _ scope: Scope) {
        switch text {
        case .path(let path): path.checkSingle(scope)
        case .header(let name) where !Name.isToken(name):
            scope.mistake("'\(name)' is no field name", at: .value, expected: "header X-Error-Message, for instance")
        case .element(let name) where !Name.isElement(name):
            scope.mistake(
                "'\(name)' is no name of an element", at: .value,
                expected: "its name without '<' and without a prefix, such as xml Message")
        case .header, .element, .firstLine: break
        }
    }

    private static func check(_ status: Int, _ scope: Scope) {
        if !(400...599).contains(status) {
            scope.mistake("\(status) is no error", at: .value, expected: "a status from 400 to 599")
        }
    }

    // MARK: - Errors with a status of success

    private func checkReported(_ scope: Scope) {
        Self.check(reported.when ?? [], scope / "when")
        Self.check(reported.unless ?? [], scope / "unless")
        if let status = reported.status { Self.check(status, scope / "status") }
        for code in reported.codes ?? [] { Self.check(code.status, scope / "codes" / code.code) }
    }

    /// Codes are looked up by what `code:` finds.
    fileprivate func checkCodes(_ scope: Scope) {
        guard reported.codes?.isEmpty == false else { return }
        switch all.code {
        case .path, .header: break
        case nil:
            (scope / "codes").mistake(
                "nothing says where the API keeps its codes", expected: "a key path as 'code:' beside it")
        case .element, .firstLine:
            (scope / "codes").mistake(
                "'\(all.code?.description ?? "")' is not found in JSON",
                expected: "a key path, or header NAME, as 'code:' beside it")
        }
    }

    private static func check(_ conditions: [ReportedError.Condition], _ scope: Scope) {
        if conditions.count > ReportedError.conditionsMax {
            scope.mistake(
                "\(conditions.count) conditions are too many", expected: "at most \(ReportedError.conditionsMax)")
        }
        for condition in conditions {
            // A path alone stands in the place of the mapping.
            condition.path.checkSingle(condition.values.isEmpty ? scope : scope / condition.path.description)
        }
    }
}

extension FieldPath {
    /// The path of one value, which may be missing.
    func checkSingle(_ scope: Scope) {
        if hasWildcard {
            scope.mistake(
                "'*' in '\(self)' yields many values where one is wanted", at: .value,
                expected: "an index, such as [0] for the first of them")
        } else if components.contains(where: \.isOptional) {
            scope.mistake(
                "'?' in '\(self)' says nothing here", at: .value, expected: "the path without it",
                suggestion: .didYouMean(FieldPath(components: components.map { .init($0.step) }).description))
        }
    }
}
