public import SluiceContract

/// `command:`: a program that prints a token.
public struct ProgramCredential: DeclaredCredential {
    public static let word = "command"
    public static let isFlat = false
    public static let summary = "A program that prints a token"
    public var program = TokenProgram(words: [])

    public init(_ program: TokenProgram = TokenProgram(words: [])) {
        self.program = program
    }

    public static let usual = ProgramCredential()
    public static let settings: [Setting<ProgramCredential>] = [
        .texts(
            "run", \.program.words, of: "a word of a command",
            "A program and its arguments, which prints a token; no shell reads them"),
        .wait("timeout", \.program.timeout, in: .milliseconds(100)...(.seconds(300)), "How long it may take"),
        .wait(
            "lifetime", \.program.lifetime, default: "until an upstream refuses it",
            "How long its token is good, where it does not say so itself"),
        .texts(
            "variables", \.program.variables, of: "a variable's name",
            "Variables that it is given beside HOME, PATH, LANG and USER"),
    ]

    public var presentation: CredentialPresentation { .bearer }
    public var source: CredentialSource { .program(program) }

    public func check(_ layer: Layer<ProgramCredential>, _ scope: Scope) {
        let command = scope / "run"
        guard let first = program.words.first, !first.isEmpty else {
            return command.mistake("there is no program", at: .value, expected: "a list such as [gh, auth, token]")
        }
        if program.words.count == 1, first.contains(" ") {
            // An argument may be a secret.
            let program = first.prefix { $0 != " " }
            command.mistake(
                "'\(program) …' is one word, and no shell takes it apart", at: .value,
                expected: "a list with a word for each argument", suggestion: .didYouMean("[\(program), …]"))
        }
    }
}
