internal import Logging
internal import SluiceContract
internal import SluiceFiles
internal import SluiceGateway
internal import Synchronization

/// A secret that is there from the beginning: written down, in the environment, or in a file that is read anew when it
/// changes.
final class SecretRunner: CredentialRunner {
    private let name: String
    private let source: TokenSource
    private let vault: CredentialVault
    private let tools: CredentialTools
    /// Makes what is shown of what is read.
    private let shown: @Sendable (String) -> [UInt8]
    private let file = Mutex<TokenFile?>(nil)
    private let failure = Mutex<String?>(nil)

    init(
        _ name: String, _ source: TokenSource, _ vault: CredentialVault, _ tools: CredentialTools,
        shown: @escaping @Sendable (String) -> [UInt8]
    ) {
        self.name = name
        self.source = source
        self.vault = vault
        self.tools = tools
        self.shown = shown
    }

    func start() {
        failure.withLock { $0 = nil }
        do throws(TokenFileError) {
            if case .file(let path) = source {
                let opened = try TokenFile(
                    path: path, credentialsDirectory: tools.credentialsDirectory, watcher: tools.watcher,
                    logger: tools.logger
                ) { [vault, shown, tools] text in
                    vault.set(.init(shown(text)))
                    tools.surroundings.announce()
                }
                file.withLock { $0 = opened }
            } else {
                vault.set(.init(shown(try tools.secret(source))))
            }
        } catch {
            failure.withLock { $0 = error.reason }
            tools.logger.error(
                "no secret for a credential", metadata: ["credential": "\(name)", "reason": "\(error)"])
        }
    }

    func lookAgain() { start() }
    func stop() { file.withLock { $0 = nil } }
    func take(_ wish: CredentialVault.Wish) {}

    var report: CredentialReport {
        CredentialReport(state: vault.isEmpty ? .missing : .ready, lastFailure: failure.withLock { $0 })
    }
}
