import Glibc
import SluiceContract
import SluiceCredentials
import TestFiles
import Testing

@testable import SluiceIO

/// Programs have an hour, and the test has a minute: what is waited for in vain fails it.
@Suite struct ProgramRunTests {
    private func output(_ words: [String], timeout: Duration = .seconds(3600)) throws(RequestFault) -> String {
        let bytes = try ProgramRun.output(of: TokenProgram(words: words, timeout: timeout))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("echo one", "one\n"), ("printf one; exec 1>&-; exit 0", "one"),
        // What goes on in the background has the output still.
        ("sleep 70 & echo one", "one\n"), ("(sleep 70 &); printf one", "one"), ("sleep 70 &", ""),
        // And may have something to say.
        ("printf one; (sh -c 'printf two') &", "onetwo"),
    ])
    func whatIsPrintedUntilTheEnd(script: String, text: String) throws {
        #expect(try output(["sh", "-c", script]) == text)
    }

    @Test(
        arguments: [
            (["yes"], .seconds(3600), "printed more than 65536 bytes"),
            (["sleep", "70"], .milliseconds(50), "did not end within 50 ms"),
            (["sh", "-c", "exec 1>&-; exec sleep 70"], .milliseconds(50), "did not end within 50 ms"),
            (["sh", "-c", "sleep 70 & exit 3"], .seconds(3600), "ended with status 3"),
            (["sh", "-c", "kill -9 $$"], .seconds(3600), "ended by signal 9"),
        ] as [([String], Duration, String)])
    func whyThereIsNothing(words: [String], timeout: Duration, reason: String) {
        let fault = #expect(throws: RequestFault.self) { try output(words, timeout: timeout) }
        #expect(fault?.description.contains(reason) == true, "\(fault?.description ?? "")")
    }

    /// What is taken is wiped from the environment, and a program that it is meant for still gets it.
    @Test func aVariableThatWasTakenIsGiven() throws {
        let name = "SLUICE_PROGRAM_RUN_TAKEN"
        setenv(name, "one", 1)
        #expect(EnvironmentSecrets.take(name) == "one")
        let words = ["sh", "-c", "printf %s \"$\(name)\""]
        let bytes = try ProgramRun.output(
            of: TokenProgram(words: words, timeout: .seconds(3600), variables: [name]))
        #expect(String(decoding: bytes, as: UTF8.self) == "one")
    }

    /// A shell waits for a program of its own, and that has something open.
    @Test func whatItHasStartedEndsWithIt() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("open")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let words = ["sh", "-c", "(echo one; sleep 3600) > '\(path)'; true"]
        #expect(throws: RequestFault.self) { try output(words, timeout: .milliseconds(500)) }
        // From here on a read waits until nobody has it open for writing.
        #expect(fcntl(reader, F_SETFL, 0) == 0)
        var piece = [UInt8](repeating: 0, count: 16)
        var count = 1
        while count > 0 { count = read(reader, &piece, piece.count) }
        #expect(count == 0)
    }
}
