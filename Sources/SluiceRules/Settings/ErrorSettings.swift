public import SluiceContract

/// `error:` of an upstream or binding: where an API keeps its errors, for all statuses and for particular ones.
public struct ErrorSettings: Hashable, Sendable {
    public var all: ErrorPaths
    public var byStatus: [Int: ErrorPaths]

    public init(all: ErrorPaths = ErrorPaths(), byStatus: [Int: ErrorPaths] = [:]) {
        self.all = all
        self.byStatus = byStatus
    }

    /// What a layer says, on top of what was inherited.
    func added(to inherited: ErrorSettings, _ scope: Scope) -> ErrorSettings {
        check(scope)
        func merged(_ own: ErrorPaths, _ other: ErrorPaths?) -> ErrorPaths {
            ErrorPaths(message: own.message ?? other?.message, code: own.code ?? other?.code)
        }
        var result = ErrorSettings(all: merged(all, inherited.all), byStatus: inherited.byStatus)
        for (status, own) in byStatus { result.byStatus[status] = merged(own, inherited.byStatus[status]) }
        // What a status leaves unsaid is as for all.
        for (status, own) in result.byStatus { result.byStatus[status] = merged(own, result.all) }
        return result
    }
}

extension ErrorSettings: Checked {
    func check(_ scope: Scope) {
        Self.check(all, scope)
        for (status, paths) in byStatus.sorted(by: { $0.key < $1.key }) {
            let scope = scope / String(status)
            if status < 400 { scope.mistake("\(status) is no error", expected: "a status from 400 to 599") }
            Self.check(paths, scope)
        }
    }

    private static func check(_ paths: ErrorPaths, _ scope: Scope) {
        if let path = paths.message { path.checkSingle(scope / "message") }
        if let path = paths.code { path.checkSingle(scope / "code") }
    }
}

extension FieldPath {
    /// The path of one value, of which nobody minds if it is missing.
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
