internal import SluiceContract
internal import SluiceJSON

/// The result for one binding.
struct VerifyResult {
    var binding: String
    var target: String?
    var outcome: Outcome
    var milliseconds: Int?

    enum Outcome {
        /// An answer, of its type where it has one.
        case fine(status: Int)
        /// The upstream's answer is not of its type.
        case drifted(status: Int, detail: String, faults: [Fault])
        /// Anything else that is an error.
        case problem(status: Int, detail: String, faults: [Fault])
        /// No complete answer.
        case none(reason: String)
        case skipped(reason: String)

        var word: String {
            switch self {
            case .fine: "ok"
            case .drifted: "drifted"
            case .problem: "problem"
            case .none: "no-answer"
            case .skipped: "skipped"
            }
        }
    }

    struct Fault: Decodable {
        var name: String
        var expected: String
        var found: String
        var hint: String?

        init(_ fault: Problem.Fault) {
            (name, expected, found, hint) = (fault.name, fault.expected, fault.found, fault.hint)
        }

        fileprivate var text: String {
            ("\(name): expected \(expected), found \(found)" + (hint.map { "; \($0)" } ?? "")).printable
        }
    }

    var hasFailed: Bool {
        switch outcome {
        case .fine, .skipped: false
        case .drifted, .problem, .none: true
        }
    }

    var isSkipped: Bool {
        if case .skipped = outcome { true } else { false }
    }

    // MARK: - For people and programs

    /// A line, and one for each fault.
    var text: String {
        let time = milliseconds.map { " (\($0) ms)" } ?? ""
        switch outcome {
        case .fine(let status): return "ok       \(binding)  \(status)\(time)"
        case .drifted(let status, let detail, let faults):
            return Style.output.red("DRIFTED") + "  \(binding)  \(status): \(detail.printable)" + Self.lines(faults)
        case .problem(let status, let detail, let faults):
            return Style.output.red("PROBLEM") + "  \(binding)  \(status): \(detail.printable)" + Self.lines(faults)
        case .none(let reason): return Style.output.red("NOTHING") + "  \(binding)  \(reason)"
        case .skipped(let reason): return Style.output.yellow("skipped") + "  \(binding)  \(reason)"
        }
    }

    private static func lines(_ faults: [Fault]) -> String { faults.map { "\n           \($0.text)" }.joined() }

    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("binding", .string(binding)), ("outcome", .string(outcome.word)),
            ("target", target.map { .string($0) } ?? .null),
            ("milliseconds", milliseconds.map { .number($0) } ?? .null),
        ]
        switch outcome {
        case .fine(let status): members.append(("status", .number(status)))
        case .drifted(let status, let detail, let faults), .problem(let status, let detail, let faults):
            members += [
                ("status", .number(status)), ("detail", .string(detail)), ("faults", .array(faults.map(Self.json))),
            ]
        case .none(let reason), .skipped(let reason): members.append(("detail", .string(reason)))
        }
        return .object(members)
    }

    private static func json(_ fault: Fault) -> JSONValue {
        .object([
            ("name", .string(fault.name)), ("expected", .string(fault.expected)), ("found", .string(fault.found)),
            ("hint", fault.hint.map { .string($0) } ?? .null),
        ])
    }
}
