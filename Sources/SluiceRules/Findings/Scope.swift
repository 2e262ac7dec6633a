/// Collects what is found.
final class FindingLog {
    private(set) var findings: [Finding] = []
    /// Whether there is a mistake, be it one of the notation: what follows from a mistake is not told as well.
    private(set) var hasMistakes: Bool
    /// Whether there is a mistake that is not a fixture's.
    private(set) var hasMistakesBesideFixtures: Bool
    /// How many of those were added.
    private(set) var mistakeCountBesideFixtures = 0
    private var isOfFixtures = false

    init(hasMistakes: Bool) {
        self.hasMistakes = hasMistakes
        hasMistakesBesideFixtures = hasMistakes
    }

    func add(_ finding: Finding) {
        if finding.severity == .mistake {
            hasMistakes = true
            if !isOfFixtures {
                hasMistakesBesideFixtures = true
                mistakeCountBesideFixtures += 1
            }
        }
        findings.append(finding)
    }

    /// What `check` finds is a fixture's: no other mistake follows from it, so that the next fixture is proven, too.
    func ofFixtures<Value>(_ check: () -> Value) -> Value {
        isOfFixtures = true
        defer { isOfFixtures = false }
        return check()
    }
}

/// A place of a configuration while it is looked at, with the log of what is found there.
public struct Scope {
    public let path: ConfigurationPath
    let log: FindingLog

    static func / (scope: Scope, key: String) -> Scope {
        Scope(path: scope.path / key, log: scope.log)
    }

    subscript(index: Int) -> Scope { Scope(path: path[index], log: log) }

    func mistake(
        _ message: Finding.Message, at anchor: Finding.Anchor = .key, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        log.add(Finding(.mistake, path, anchor, message, expected: expected, suggestion: suggestion))
    }

    func warning(
        _ message: Finding.Message, at anchor: Finding.Anchor = .key, expected: String? = nil,
        suggestion: Suggestion? = nil
    ) {
        log.add(Finding(.warning, path, anchor, message, expected: expected, suggestion: suggestion))
    }
}
