internal import ArgumentParser
internal import SluiceContract

extension Sluice {
    /// Runs the command; a verb that nobody knows is told with the nearest one.
    static func main() {
        let verbs = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !verbs.contains(word) {
            let near = Nearest.name(to: word, among: verbs).map { "did you mean '\($0)'?" }
            exit(
                withError: ValidationError(
                    "There is no verb '\(word)'; \(near ?? "'sluice help' lists them all.")"))
        }
        main(nil)
    }
}
