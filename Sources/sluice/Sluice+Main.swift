internal import ArgumentParser
internal import SluiceContract
internal import SluiceJSON
internal import Glibc

extension Sluice {
    /// Runs the command; an unknown verb is reported with the nearest one.
    static func main() {
        StandardDescriptors.fill()
        // The parser's output (help, version, completions) is checked at the end: a failed write is reported then.
        atexit(Say.flushAtEnd)
        if let refusal = VectorSet.refusal { exit(withError: ValidationError(refusal)) }
        let words = CommandLine.arguments.dropFirst().prefix { !$0.hasPrefix("-") }
        if let word = words.first { expect(word, of: configuration.subcommands, in: "sluice") }
        if words.first == "cache", let word = words.dropFirst().first {
            expect(word, of: CacheVerb.configuration.subcommands, in: "sluice cache")
        }
        if words.first == "help", let word = words.dropFirst().first {
            expect(word, of: configuration.subcommands, in: "sluice")
        }
        let plain = plainVerb
        do {
            var verb = try plain ?? parseAsRoot()
            try verb.run()
        } catch {
            if let plain, let error = error as? ValidationError { refuse(type(of: plain), error.message) }
            exit(withError: error)
        }
    }

    /// Ends the command as the parser does for a misused verb: with the verb's usage. For mistakes that a verb finds
    /// once it runs.
    private static func refuse(_ verb: any ParsableCommand.Type, _ message: String) -> Never {
        let name = verb.configuration.commandName ?? ""
        Say.error(
            """
            Error: \(message)
            Usage: \(verb.usageString())
              See 'sluice \(name) --help' for more information.
            """)
        exit(withError: ExitCode.validationFailure)
    }

    /// The verb, where it can be parsed by itself: the search for completion scripts and among all verbs takes a
    /// twelfth of the daemon's start. Requests for help and mistakes go through the full parser.
    private static var plainVerb: (any ParsableCommand)? {
        let words = CommandLine.arguments.dropFirst()
        guard let verb = configuration.subcommands.first(where: { $0.configuration.commandName == words.first }),
            verb.configuration._superCommandName != nil,
            let command = try? verb.parseAsRoot(Array(words.dropFirst()))
        else { return nil }
        return type(of: command) == verb ? command : nil
    }

    /// Names of the same verbs in other programs.
    private static let synonyms = [
        "start": "serve", "run": "serve", "validate": "check", "test": "check", "lint": "check", "verify": "check",
        "list": "routes", "request": "call", "get": "call", "ping": "health", "status": "health", "restart": "reload",
        "log": "tail", "logs": "tail", "follow": "tail", "observe": "watch", "new": "init", "setup": "init",
        "diagnose": "doctor",
    ]

    /// Ends the command where `word` is no verb.
    private static func expect(_ word: String, of verbs: [any ParsableCommand.Type], in command: String) {
        let names = verbs.compactMap { $0.configuration.commandName } + (command == "sluice" ? ["help"] : [])
        if names.contains(word) { return }
        let synonym = synonyms[word].flatMap { names.contains($0) ? $0 : nil }
        let near = (synonym ?? Nearest.name(to: word, among: names)).map { "did you mean '\($0)'?" }
        if near == nil, word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
            exit(withError: ValidationError("'\(word)' is a file, not a verb; did you mean 'sluice serve \(word)'?"))
        }
        let help = command == "sluice" ? "sluice help" : "\(command) --help"
        exit(withError: ValidationError("There is no verb '\(word)'; \(near ?? "'\(help)' lists them all.")"))
    }
}
