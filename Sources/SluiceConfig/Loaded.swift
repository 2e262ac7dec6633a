public import SluiceContract

/// What came of reading a configuration file.
public struct Loaded: Sendable {
    /// nil where there are mistakes.
    public var configuration: Configuration?
    /// Everything that is wrong, in the order of the file.
    public var mistakes: [Mistake]
    /// What is odd but works.
    public var warnings: [Mistake]

    public init(configuration: Configuration?, mistakes: [Mistake] = [], warnings: [Mistake] = []) {
        self.configuration = configuration
        self.mistakes = mistakes
        self.warnings = warnings
    }
}
