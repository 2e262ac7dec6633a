public import SluiceContract

/// What came of reading a configuration file.
public struct Loaded: Sendable {
    /// nil where there are mistakes.
    public var configuration: Configuration?
    /// What could be read of it in spite of the mistakes, enough to find the daemon that runs: an address that is wrong
    /// is missing. nil where the file is no mapping of keys at all.
    public var draft: Configuration?
    /// Everything that is wrong, in the order of the file.
    public var mistakes: [Mistake]
    /// What is odd but works.
    public var warnings: [Mistake]
    /// Of a file without mistakes.
    var bindingPlaces: [BindingPlace] = []

    public init(
        configuration: Configuration?, draft: Configuration? = nil, mistakes: [Mistake] = [], warnings: [Mistake] = []
    ) {
        self.configuration = configuration
        self.draft = draft ?? configuration
        self.mistakes = mistakes
        self.warnings = warnings
    }
}
