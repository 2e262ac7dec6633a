import Glibc
import SluiceClient

/// A command-line tool over a gateway: it has no tokens and no HTTP of its own, and one kind of error.
@main
enum FruitCLI {
    static func main() async {
        guard let command = Command(CommandLine.arguments.dropFirst()) else {
            complain(Command.usage)
            exit(64)
        }
        do throws(CallError) {
            for line in try await command.run(FruitStand()) { print(line) }
        } catch {
            complain("\(error.title). \(error.detail)")
            if case .problem(let problem) = error {
                for fault in problem.faults {
                    complain("  \(fault.name): \(fault.expected ?? ""), \(fault.found ?? "")")
                }
            }
            // What may succeed later is told apart, for scripts that try again (EX_TEMPFAIL).
            exit(error.isRetryable ? 75 : 1)
        }
    }

    private static func complain(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
