/// A program that prints a token, or the keys of a signature.
public struct TokenProgram: Hashable, Sendable {
    /// The program by its path, or by a name that is looked for in `PATH`, and its arguments. No shell reads them.
    public var words: [String]
    /// How long it may take.
    public var timeout: Duration
    /// How long a token is good that says nothing of its end; nil is until an upstream refuses it.
    public var lifetime: Duration?
    /// Variables that it is given beside `HOME`, `PATH`, `LANG` and `USER`.
    public var variables: [String]
    public var output: Output

    /// What it prints.
    public enum Output: Hashable, Sendable {
        /// A token on a line of its own, or JSON with the time of its end.
        case token
        /// JSON with the keys of an AWS account, as `credential_process` of its tools has it.
        case awsKeys
    }

    public init(
        words: [String], timeout: Duration = .seconds(10), lifetime: Duration? = nil, variables: [String] = [],
        output: Output = .token
    ) {
        self.words = words
        self.timeout = timeout
        self.lifetime = lifetime
        self.variables = variables
        self.output = output
    }
}

/// A file with a private key in PEM, by its full path.
public struct KeyFile: Hashable, Sendable {
    public var path: String

    public init(path: String) {
        self.path = path
    }
}
