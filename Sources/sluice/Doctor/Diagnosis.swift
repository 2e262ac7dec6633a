internal import SluiceJSON

/// One finding, with advice.
struct Diagnosis: Sendable {
    enum Verdict: String, Sendable {
        case fine = "ok"
        /// Worth knowing; nothing fails because of it.
        case note
        case trouble = "wrong"
    }

    /// The checked thing, in a word or two.
    var subject: String
    var verdict: Verdict
    var finding: String
    var advice: String?

    static func fine(_ subject: String, _ finding: String) -> Diagnosis {
        Diagnosis(subject: subject, verdict: .fine, finding: finding)
    }

    static func note(_ subject: String, _ finding: String, _ advice: String? = nil) -> Diagnosis {
        Diagnosis(subject: subject, verdict: .note, finding: finding, advice: advice)
    }

    static func trouble(_ subject: String, _ finding: String, _ advice: String? = nil) -> Diagnosis {
        Diagnosis(subject: subject, verdict: .trouble, finding: finding, advice: advice)
    }

    /// One line, and one with the advice.
    var text: String {
        let word = verdict.rawValue + String(repeating: " ", count: 6 - verdict.rawValue.count)
        let mark =
            switch verdict {
            case .fine: word
            case .note: Style.output.yellow(word)
            case .trouble: Style.output.red(word)
            }
        let name = subject + String(repeating: " ", count: max(1, 12 - subject.count))
        return mark + name + finding + (advice.map { "\n" + String(repeating: " ", count: 18) + "→ \($0)" } ?? "")
    }

    var json: JSONValue {
        .object([
            ("subject", .string(subject)), ("verdict", .string(verdict.rawValue)), ("finding", .string(finding)),
            ("advice", advice.map { .string($0) } ?? .null),
        ])
    }
}
