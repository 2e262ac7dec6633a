import Logging
import SluiceContract
import SluiceSigning
import SluiceSockets
import Testing

@testable import SluiceGateway
@testable import SluiceIO

@Suite struct ProgramRunnerTests {
    private let announced = Inbox<String>()
    private let vault = CredentialVault(of: .program(TokenProgram(words: [])))

    private func runner(_ words: String..., lifetime: Duration? = nil) -> ProgramRunner {
        let tools = CredentialTools(
            watcher: FileWatcher(pollSeconds: 3600), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            .init(send: { _, _ in }, announce: { [announced] in announced.put("changed") }))
        return ProgramRunner("forge", TokenProgram(words: words, lifetime: lifetime), vault, tools)
    }

    @Test func whatItPrintsIsShown() async {
        runner("echo", "one").take(.secret)
        #expect(await announced.take() == "changed")
        var reader = CredentialVault.Reader(vault)
        #expect(reader.current == SecretBytes("one"))
        #expect(reader.line == SecretBytes("Authorization: Bearer one\r\n"))
    }

    /// A life of less than a second is one, and is followed by the next without anybody asking.
    @Test func aShortLifeIsLived() async throws {
        let before = MonotonicClock.now()
        let runner = runner("echo", "one", lifetime: .milliseconds(500))
        runner.take(.secret)
        #expect(await announced.take() == "changed")
        var reader = CredentialVault.Reader(vault)
        #expect(reader.current == SecretBytes("one"))
        // Usable for 475 ms from when it came, whatever the time of day.
        #expect(vault.isUsable(at: before + 474_000_000, unix: 0))
        #expect(!vault.isUsable(at: MonotonicClock.now() + 475_000_000, unix: 0))
        #expect(await announced.take() == "changed")
        runner.stop()
    }

    /// A token that has ended is no reason to let requests wait for one that does not come.
    @Test(arguments: [nil, 1] as [UInt64?]) func whoWaitsHearsThatItFails(endedAt: UInt64?) async {
        if let endedAt { vault.set(.init(Array("old".utf8), usableUntil: endedAt)) }
        runner("false").take(.secret)
        #expect(await announced.take() == "changed")
        var reader = CredentialVault.Reader(vault)
        var detail: String?
        if case .lacking(let problem) = reader.standing(at: 2, unix: 2) { detail = problem?.detail }
        #expect(detail?.contains("status 1") == true)
    }

    @Test func aTokenThatIsGoodOutlivesAFailure() async {
        vault.set(.init(Array("old".utf8)))
        runner("false").take(.secret)
        #expect(await announced.take() == "changed")
        var reader = CredentialVault.Reader(vault)
        #expect(reader.current == SecretBytes("old"))
    }

    /// Who was refused, and hoped for another one, goes on with the one that there is.
    @Test func aFailureAfterARefusalKeepsNobodyWaiting() async {
        vault.set(.init(Array("old".utf8)))
        var reader = CredentialVault.Reader(vault)
        _ = reader.current
        let version = reader.version
        let asked = MonotonicClock.now()
        runner("false").take(.another(thanVersion: version))
        #expect(await announced.take() == "changed")
        #expect(reader.current == SecretBytes("old") && reader.version == version)
        #expect(vault.isLast(version, at: asked))
    }
}
