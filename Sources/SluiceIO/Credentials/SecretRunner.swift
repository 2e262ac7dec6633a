internal import Logging
internal import SluiceContract
internal import SluiceFiles
internal import SluiceGateway
internal import Synchronization

/// Fixed secrets: written in the page, in the environment, or in files that are read again when they change.
final class SecretRunner: CredentialRunner {
    private struct State {
        /// What each source holds; nil where it could not be read.
        var texts: [String?]
        var files: [TokenFile] = []
        var failure: String?
    }

    private let name: String
    private let sources: [TokenSource]
    private let vault: CredentialVault
    private let tools: CredentialTools
    /// Makes the shown credentials from the secrets read.
    private let shown: @Sendable ([String]) -> [[UInt8]]
    private let state: Mutex<State>

    init(
        _ name: String, _ sources: [TokenSource], _ vault: CredentialVault, _ tools: CredentialTools,
        shown: @escaping @Sendable ([String]) -> [[UInt8]] = { $0.map { Array($0.utf8) } }
    ) {
        self.name = name
        self.sources = sources
        self.vault = vault
        self.tools = tools
        self.shown = shown
        state = Mutex(State(texts: sources.map { _ in nil }))
    }

    func start() {
        state.withLock { $0 = State(texts: sources.map { _ in nil }) }
        for (index, source) in sources.enumerated() {
            do throws(TokenFileError) {
                guard case .file(let path) = source else {
                    read(try tools.secret(source), index)
                    continue
                }
                let opened = try TokenFile(
                    path: path, credentialsDirectory: tools.credentialsDirectory, watcher: tools.watcher,
                    logger: tools.logger
                ) { [weak self] in self?.read($0, index) }
                state.withLock { $0.files.append(opened) }
            } catch {
                fail(error.reason, "\(error)")
            }
        }
    }

    /// Shows the credential once all sources are read. Under the lock, so that if two files change at the same time the
    /// later reading stays.
    private func read(_ text: String, _ index: Int) {
        let (isWhole, fault) = state.withLock { state -> (Bool, SignatureFault?) in
            state.texts[index] = text
            let texts = state.texts.compactMap(\.self)
            guard texts.count == sources.count else { return (false, nil) }
            do throws(SignatureFault) {
                vault.set(try CredentialVault.Secret(shown(texts), for: vault.presentation))
                state.failure = nil
                return (true, nil)
            } catch {
                vault.withhold(
                    Problem(.noBearer, detail: "The secret of the credential '\(name)' cannot be used: \(error)."))
                state.failure = "\(error)"
                return (true, error)
            }
        }
        guard isWhole else { return }
        if let fault { log("\(fault)") }
        tools.surroundings.announce()
    }

    private func fail(_ reason: String, _ told: String) {
        state.withLock { $0.failure = reason }
        log(told)
    }

    private func log(_ told: String) {
        tools.logger.error("no secret for a credential", metadata: ["credential": "\(name)", "reason": "\(told)"])
    }

    func lookAgain() { start() }
    func stop() { state.withLock { $0.files = [] } }
    func take(_ wish: CredentialVault.Wish) {}

    var report: CredentialReport {
        CredentialReport(state: vault.isEmpty ? .missing : .ready, lastFailure: state.withLock { $0.failure })
    }
}
