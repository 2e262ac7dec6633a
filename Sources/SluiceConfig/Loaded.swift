public import SluiceContract

/// The outcome of reading a configuration file.
public struct Loaded: Sendable {
    /// nil where there are mistakes.
    public var configuration: Configuration?
    /// The part of the configuration that could be read in spite of mistakes, enough to find the running daemon; wrong
    /// addresses are missing from it. nil where the file is not a mapping.
    public var draft: Configuration?
    /// All mistakes, in the order of the file.
    public var mistakes: [Mistake]
    /// Findings that are odd but do not prevent use.
    public var warnings: [Mistake]
    /// The places of the bindings; filled for a file without mistakes.
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
