/// A program that prints a token: on a line of its own, or as JSON with the time of its end.
public struct TokenProgram: Hashable, Sendable {
    /// The program by its path, or by a name that is looked for in `PATH`, and its arguments. No shell reads them.
    public var words: [String]
    /// How long it may take.
    public var timeout: Duration
    /// How long a token is good that says nothing of its end; nil is until an upstream refuses it.
    public var lifetime: Duration?
    /// Variables that it is given beside `HOME`, `PATH`, `LANG` and `USER`.
    public var variables: [String]

    public init(
        words: [String], timeout: Duration = .seconds(10), lifetime: Duration? = nil, variables: [String] = []
    ) {
        self.words = words
        self.timeout = timeout
        self.lifetime = lifetime
        self.variables = variables
    }
}

/// A file with a private key in PEM, by its full path.
public struct KeyFile: Hashable, Sendable {
    public var path: String

    public init(path: String) {
        self.path = path
    }
}
