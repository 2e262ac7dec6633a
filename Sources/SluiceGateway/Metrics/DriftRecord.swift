/// One place at which answers are not as their type says, as it is kept over restarts.
public struct DriftRecord: Hashable, Sendable {
    public var binding: String
    public var path: String
    /// A word of ``DriftFinding/Kind``.
    public var kind: String
    public var declared: String
    /// Words of ``DriftFinding/Found``.
    public var found: [String] = []
    /// How a value was written, without the value.
    public var example: String?
    public var cases: [String] = []
    /// Values.
    public var count = 0
    public var answers = 0
    /// Answers of the binding that were checked since the first of these.
    public var checked = 0
    /// Seconds since 1970.
    public var firstAt = 0
    public var lastAt = 0

    public init(binding: String, path: String, kind: String, declared: String) {
        self.binding = binding
        self.path = path
        self.kind = kind
        self.declared = declared
    }
}

/// That answers of a binding are not as its type says, for a line of the log.
public struct DriftNews: Hashable, Sendable {
    public var binding: String
    /// The first place that was found, and what was there.
    public var path: String
    public var kind: String
    public var declared: String
    public var found: String
    /// Values since the last such line, these included.
    public var count: Int

    /// A binding has one line in this time, whatever its upstream sends.
    static let quietSeconds = 60
}
