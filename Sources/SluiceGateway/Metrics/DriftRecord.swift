/// One place at which answers do not match their type, as stored over restarts.
public struct DriftRecord: Hashable, Sendable {
    public var binding: String
    public var path: String
    /// A word of ``DriftFinding/Kind``.
    public var kind: String
    public var declared: String
    /// Words of ``DriftFinding/Found``.
    public var found: [String] = []
    /// The shape of a value, without the value itself.
    public var example: String?
    public var cases: [String] = []
    /// Number of values.
    public var count = 0
    public var answers = 0
    /// Answers of the binding that were checked since the first finding.
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

/// Says that answers of a binding do not match their type, for a line of the log.
public struct DriftNews: Hashable, Sendable {
    public var binding: String
    /// The first place, and what was found there.
    public var path: String
    public var kind: String
    public var declared: String
    public var found: String
    /// Number of values since the last such line, including these.
    public var count: Int

    /// Each binding has at most one line in this time, whatever its upstream sends.
    static let quietSeconds = 60
}
