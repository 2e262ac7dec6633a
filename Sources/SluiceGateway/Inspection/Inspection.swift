internal import SluiceContract
internal import SluiceJSON
internal import SluiceSigning

/// One finished exchange, as the admin socket shows it, with all secrets removed.
struct Inspection: Sendable {
    /// What a list shows of the exchange.
    struct Summary: Sendable {
        /// When the exchange began, in milliseconds since 1970.
        var at: Int64
        var method: String
        var target: String
        var binding: String?
        var status: Int
        var problem: String?
        var nanoseconds: UInt64
        var cache: String?
        var credential: String?
        var trace: String?
    }

    struct Side: Sendable {
        var line: String
        var fields: [(name: String, value: String)]
        var body: Body
        var size: Int
        var isCut: Bool
    }

    enum Body: Sendable {
        case none
        case text(String)
        case bytes([UInt8])
    }

    /// One attempt at an upstream.
    struct Attempt: Sendable {
        /// The part that made the attempt; nil outside of composed answers.
        var part: String?
        var upstream: String
        var endpoint: String
        var cause: String
        var connection: String?
        var request: Side?
        var answer: Side?
        /// Why there is no answer, or no complete one.
        var failure: String?
        var phases: [Phase]
    }

    /// A part of the whole time; nanoseconds since the exchange began.
    struct Phase: Sendable {
        enum Name: String, Sendable {
            case queued, connect, send, wait, receive, deliver
        }

        var name: Name
        var start: UInt64
        var end: UInt64
    }

    var summary: Summary
    var request: Side
    var answer: Side?
    var attempts: [Attempt]
    /// Phases of the exchange itself: before its first attempt and after its last one.
    var phases: [Phase]
}

// MARK: - As JSON

extension Inspection {
    /// - Parameter id: the number by which the exchange is requested.
    func listing(_ id: Int) -> JSONValue { .object(summary.members(id)) }

    func details(_ id: Int) -> JSONValue {
        let own = phases.map { $0.json(of: nil) }
        let others = attempts.enumerated().flatMap { index, attempt in attempt.phases.map { $0.json(of: index + 1) } }
        return .object(
            summary.members(id) + [
                ("request", request.json), ("answer", answer?.json ?? .null),
                ("upstream", .array(attempts.map(\.json))), ("timing", .array(own + others)),
                ("trace", .text(summary.trace)),
            ])
    }
}

extension Inspection.Summary {
    fileprivate func members(_ id: Int) -> [(String, JSONValue)] {
        [
            ("id", .string("\(id)")), ("at", .thousandths(Int(at))), ("method", .string(method)),
            ("target", .string(target)), ("binding", .text(binding)), ("status", .number(status)),
            ("problem", .text(problem)), ("milliseconds", .milliseconds(nanoseconds)), ("cache", .text(cache)),
            ("credential", .text(credential)),
        ]
    }
}

extension Inspection.Side {
    fileprivate var json: JSONValue {
        var (text, base64) = (JSONValue.null, JSONValue.null)
        switch body {
        case .none: break
        case .text(let body): text = .string(body)
        case .bytes(let bytes): base64 = .string(Base64.text(bytes))
        }
        return .object([
            ("line", .string(line)),
            ("fields", .array(fields.map { .array([.string($0.name), .string($0.value)]) })),
            ("body", text), ("base64", base64), ("size", .number(size)), ("cut", .bool(isCut)),
        ])
    }
}

extension Inspection.Attempt {
    fileprivate var json: JSONValue {
        let timing = phases.map { ($0.name.rawValue, JSONValue.milliseconds($0.end &- $0.start)) }
        let start = phases.first.map { [("start", JSONValue.milliseconds($0.start))] } ?? []
        return .object([
            ("part", .text(part)), ("upstream", .string(upstream)), ("endpoint", .string(endpoint)),
            ("cause", .string(cause)),
            ("connection", .text(connection)), ("request", request?.json ?? .null), ("answer", answer?.json ?? .null),
            ("failure", .text(failure)), ("timing", .object(start + timing)),
        ])
    }
}

extension Inspection.Phase {
    fileprivate func json(of attempt: Int?) -> JSONValue {
        .object([
            ("phase", .string(name.rawValue)), ("start", .milliseconds(start)),
            ("milliseconds", .milliseconds(end &- start)),
            ("attempt", attempt.map { .number($0) } ?? .null),
        ])
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    /// Milliseconds with three digits behind the point.
    fileprivate static func milliseconds(_ nanoseconds: UInt64) -> JSONValue {
        .thousandths(Int(clamping: nanoseconds / 1000))
    }

    fileprivate static func thousandths(_ count: Int) -> JSONValue {
        let rest = "\(count % 1000)"
        return .verbatim("\(count / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)")
    }
}
