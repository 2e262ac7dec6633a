/// A finished span, as a collector gets it (OpenTelemetry, trace data model).
public struct TraceSpan: Sendable {
    public enum Kind: Sendable {
        /// A client's request.
        case server
        /// An attempt at an upstream.
        case client
    }

    public enum Value: Sendable, Equatable {
        case text(String)
        case number(Int)
        case flag(Bool)
    }

    public struct Attribute: Sendable {
        public let name: StaticString
        public let value: Value
    }

    public struct Event: Sendable {
        public let name: StaticString
        public let at: UInt64
        public let attributes: [Attribute]
    }

    /// The outcome.
    public enum Status: Sendable, Equatable {
        case unset
        case error
    }

    /// Longer texts are cut, so that the size of a span is bounded.
    public static let textMax = 1024
    /// The most characters of `tracestate`, in whole members.
    static let stateMax = 512

    public let trace: TraceID
    public let id: SpanID
    public let parent: SpanID?
    /// Whether the parent is another program's.
    public let isParentRemote: Bool
    /// The flags of `traceparent`.
    public let flags: UInt8
    public let state: String
    public let name: String
    public let kind: Kind
    /// Nanoseconds of the monotonic clock.
    public let startedAt: UInt64
    public let endedAt: UInt64
    public let attributes: [Attribute]
    public let events: [Event]
    public let status: Status
}

/// Collects the attributes of a span; those without a value are left out.
struct SpanAttributes {
    private(set) var all: [TraceSpan.Attribute] = []

    mutating func add(_ name: StaticString, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        all.append(.init(name: name, value: .text(Self.cut(text))))
    }

    mutating func add(_ name: StaticString, _ number: Int?) {
        if let number { all.append(.init(name: name, value: .number(number))) }
    }

    mutating func add(_ name: StaticString, _ flag: Bool) { all.append(.init(name: name, value: .flag(flag))) }

    /// Cuts a text between two characters.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > TraceSpan.textMax else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: TraceSpan.textMax)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
