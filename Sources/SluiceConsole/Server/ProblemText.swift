public import SluiceContract
import SluiceJSON

/// Writes the console's own problems like the gateway's (RFC 9457 §3).
public enum ProblemText {
    public static func bytes(_ problem: Problem) -> [UInt8] {
        let envelope = JSONValue.object([
            ("type", .string("urn:sluice:problem:\(problem.kind.rawValue)")), ("title", .string(problem.kind.title)),
            ("status", .number(problem.status)), ("detail", .string(problem.detail)),
            ("source", .string(problem.source.rawValue)), ("retryable", .bool(problem.isRetryable)),
        ])
        return Array((envelope.text + "\n").utf8)
    }
}
