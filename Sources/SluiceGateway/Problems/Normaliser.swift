internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// The only place where problems are turned into bytes.
struct Normaliser: Sendable {
    private let envelope: Envelope

    init(_ envelope: Envelope) {
        self.envelope = envelope
    }

    func writeFields(of problem: Problem, date: [UInt8], into fields: inout HeaderBlock) {
        switch envelope {
        case .problemDetails: fields.append(.contentType, "application/problem+json")
        case .template: fields.append(.contentType, "application/json")
        }
        date.withUnsafeBytes { fields.append(.date, value: $0) }
        fields.append(.cacheControl, "no-store")
        if let seconds = problem.retryAfterSeconds {
            Array(String(seconds).utf8).withUnsafeBytes { fields.append(.retryAfter, value: $0) }
        }
        for field in problem.fields {
            Array(field.name.utf8).withUnsafeBytes { name in
                Array(field.value.utf8).withUnsafeBytes { fields.append(name: name, value: $0) }
            }
        }
        if problem.kind == .unsupportedCoding {
            // RFC 9110 §12.5.3: the codings that are accepted.
            Array(ContentCoding.list.utf8).withUnsafeBytes { fields.append(.acceptEncoding, value: $0) }
        }
        if problem.kind == .upgradeRequired {
            // RFC 9110 §15.5.22, RFC 6455 §4.4.
            fields.append(.upgrade, "websocket")
            fields.append(.connection, "Upgrade")
            fields.append(.secWebSocketVersion, "13")
        }
        if problem.kind == .methodNotAllowed {
            Array(problem.allow.joined(separator: ", ").utf8).withUnsafeBytes { fields.append(.allow, value: $0) }
        }
    }

    /// - Parameter trace: the request's trace, where it is traced.
    func bytes(of problem: Problem, in trace: TraceID? = nil) -> [UInt8] {
        var writer = Writer(trace: trace)
        switch envelope {
        case .problemDetails: writer.problemDetails(problem)
        case .template(let template): writer.template(template, problem)
        }
        writer.json.append(UInt8(ascii: "\n"))
        return writer.json
    }

    /// Writes JSON text.
    private struct Writer {
        let trace: TraceID?
        var json: [UInt8] = []

        init(trace: TraceID?) {
            self.trace = trace
        }

        mutating func text(_ string: String) { json += JSONText.quote(string).utf8 }

        mutating func key(_ name: String) {
            if json.last != UInt8(ascii: "{") { json.append(UInt8(ascii: ",")) }
            text(name)
            json.append(UInt8(ascii: ":"))
        }

        mutating func member(_ name: String, _ value: String?) {
            guard let value else { return }
            key(name)
            text(value)
        }

        /// RFC 9457 §3, with the extension members of DESIGN: the problem's source, whether a retry can help, the
        /// faults.
        mutating func problemDetails(_ problem: Problem) {
            json.append(UInt8(ascii: "{"))
            member("type", "urn:sluice:problem:\(problem.kind.rawValue)")
            member("title", problem.kind.title)
            key("status")
            json += String(problem.status).utf8
            member("detail", problem.detail)
            member("source", problem.source.rawValue)
            member("upstream", problem.upstream)
            member("part", problem.part)
            if !problem.done.isEmpty {
                key("done")
                json += "[\(problem.done.map { JSONText.quote($0) }.joined(separator: ","))]".utf8
            }
            member("code", problem.upstreamCode)
            key("retryable")
            json += "\(problem.isRetryable)".utf8
            member("trace_id", trace?.description)
            if !problem.faults.isEmpty {
                key("faults")
                faults(problem.faults)
            }
            json.append(UInt8(ascii: "}"))
        }

        mutating func faults(_ faults: [Problem.Fault]) {
            json.append(UInt8(ascii: "["))
            for (index, fault) in faults.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                json.append(UInt8(ascii: "{"))
                member("name", fault.name)
                member("in", fault.location)
                member("expected", fault.expected)
                member("found", fault.found)
                if let offset = fault.offset {
                    key("offset")
                    json += String(offset).utf8
                }
                member("hint", fault.hint)
                json.append(UInt8(ascii: "}"))
            }
            json.append(UInt8(ascii: "]"))
        }

        mutating func template(_ template: Envelope.Template, _ problem: Problem) {
            switch template {
            case .literal(let literal): json += literal.utf8
            case .array(let items):
                json.append(UInt8(ascii: "["))
                for (index, item) in items.enumerated() {
                    if index > 0 { json.append(UInt8(ascii: ",")) }
                    self.template(item, problem)
                }
                json.append(UInt8(ascii: "]"))
            case .object(let members):
                json.append(UInt8(ascii: "{"))
                for member in members {
                    key(member.key)
                    self.template(member.value, problem)
                }
                json.append(UInt8(ascii: "}"))
            case .string(let string): self.string(string, problem)
            }
        }

        /// A string that is one placeholder and nothing else takes the value's own JSON type.
        private mutating func string(_ string: String, _ problem: Problem) {
            switch string {
            case "{status}": json += String(problem.status).utf8
            case "{retryable}": json += "\(problem.isRetryable)".utf8
            case "{faults}": faults(problem.faults)
            case "{trace_id}" where trace == nil: json += "null".utf8
            case "{code}" where problem.upstreamCode == nil, "{upstream}" where problem.upstream == nil:
                json += "null".utf8
            default: text(filled(string, problem))
            }
        }

        private func filled(_ string: String, _ problem: Problem) -> String {
            var filled = ""
            var rest = Substring(string)
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                filled += rest[..<open]
                let name = String(rest[rest.index(after: open)..<close])
                filled += value(of: name, problem) ?? "{\(name)}"
                rest = rest[rest.index(after: close)...]
            }
            return filled + rest
        }

        private func value(of name: String, _ problem: Problem) -> String? {
            switch name {
            case "kind": problem.kind.rawValue
            case "title": problem.kind.title
            case "status": String(problem.status)
            case "detail": problem.detail
            case "source": problem.source.rawValue
            case "code": problem.upstreamCode ?? ""
            case "upstream": problem.upstream ?? ""
            case "retryable": "\(problem.isRetryable)"
            case "trace_id": trace?.description ?? ""
            case "faults":
                problem.faults.map { "\($0.name): expected \($0.expected), found \($0.found)" }
                    .joined(separator: "; ")
            default: nil
            }
        }
    }
}
