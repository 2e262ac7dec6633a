import Foundation
import Testing

/// Standard error in the journal: every line with its level (sd-daemon(3)).
@Suite struct JournalTests {
    /// Runs `sluice` with a `JOURNAL_STREAM` that names its standard error, or `other`.
    private static func start(_ arguments: [String], other: String? = nil) throws -> ChildProcess {
        let stream = other ?? "$(stat -L -c %d:%i /proc/self/fd/2)"
        return try ChildProcess(
            ["/bin/sh", "-c", "JOURNAL_STREAM=\(stream) exec \"$0\" \"$@\"", Daemon.binary] + arguments)
    }

    @Test func linesOfTheLogHaveLevels() throws {
        let folder = try TemporaryFolder()
        let page = "listen: 127.0.0.1:0\n" + HealthTests.configuration
        let path = try folder.write(page, to: "sluice.yaml")
        let process = try Self.start(["serve", path])
        defer { process.end() }
        try Poll.until("it is up", holds: { process.errors.contains("listening on") })
        try folder.write("bindngs: {}", to: "sluice.yaml")
        process.signal(SIGHUP)
        try Poll.until("it has refused", holds: { process.errors.contains("stays in force") })
        let lines = process.errors.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#"<5>{"time":"#) == true, "\(lines)")
        #expect(lines.last?.hasPrefix(#"<3>{"time":"#) == true, "\(lines)")
        #expect(lines.allSatisfy { $0.hasPrefix("<") })
    }

    /// Mistakes of a page take several lines, each of which is a message to the journal.
    @Test func mistakesAtTheStartHaveLevels() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("bindngs: {}\n", to: "sluice.yaml")
        let process = try Self.start(["serve", path])
        #expect(try process.waitForExit() == 1)
        let lines = process.errors.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("<3>") }, "\(lines)")
    }

    /// The variable is inherited by processes whose standard error goes elsewhere.
    @Test func anotherStreamHasNone() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("bindngs: {}\n", to: "sluice.yaml")
        let process = try Self.start(["serve", path], other: "1:2")
        #expect(try process.waitForExit() == 1)
        #expect(!process.errors.contains("<3>"), "\(process.errors)")
    }
}
