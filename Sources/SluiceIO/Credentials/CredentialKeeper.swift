internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceFiles
internal import SluiceGateway
internal import SluiceSigning
internal import Synchronization
internal import Glibc

/// Keeps every credential valid, on a queue of its own, off the loops. A credential that a reload does not change keeps
/// its runner and its tokens.
final class CredentialKeeper: CredentialBoard {
    private struct Entry {
        var credential: Credential
        var vault: CredentialVault
        var runner: any CredentialRunner
        /// The state folder when the runner was started.
        var folder: String?
        /// Upstreams whose answers bring another secret (`keep:`), which replaces the page's own and is only for them;
        /// nil where no answer brings one.
        var sources: Set<Upstream.Origin>?
        /// Whether reports list it: the value of a field or a parameter is kept like a credential, but is none.
        var isListed: Bool

        /// Whether a secret that an answer has brought may be shown to these upstreams.
        func mayServe(_ others: Set<Upstream.Origin>?) -> Bool {
            guard let sources, let others else { return sources == others }
            return others.isSubset(of: sources)
        }
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// Runners of credentials that are no longer configured, and that still wait for an answer.
    private let stopped = Mutex<[any CredentialRunner]>([])
    private let tools: CredentialTools
    private let desk: SignInDesk
    var audit: AuditTrail { tools.audit }

    init(watcher: FileWatcher, logger: Logger, _ surroundings: CredentialTools.Surroundings) {
        tools = CredentialTools(watcher: watcher, logger: logger, surroundings)
        desk = SignInDesk(tools)
    }

    /// By the names of ``Configuration/shownCredentials``.
    var vaults: [String: CredentialVault] { entries.withLock { $0.mapValues(\.vault) } }

    /// Brings the entries in line with the configuration.
    func keep(_ configuration: Configuration) {
        tools.useFolder(of: configuration)
        var kept: [String: Entry] = [:]
        let old = entries.withLock { $0 }
        let values = configuration.secrets.compactMap { source in
            source.vaultName.map { Credential(name: $0, kind: UpstreamBearer(source)) }
        }
        let listed = configuration.shownCredentials
        for (index, credential) in (listed + values).enumerated() {
            let sources = index < listed.count ? Self.sources(of: credential, configuration) : nil
            if var known = old[credential.name], AnyHashable(known.credential.kind) == AnyHashable(credential.kind),
                known.folder == tools.folder?.path, known.mayServe(sources)
            {
                known.sources = sources
                kept[credential.name] = known
                // The file that could not be read may exist now.
                if known.runner.report.state == .missing { known.runner.lookAgain() }
            } else {
                kept[credential.name] = begin(
                    credential, from: sources, isListed: index < listed.count, isShown: configuration.asksUpstreams)
            }
        }
        entries.withLock { $0 = kept }
        let gone = old.filter { kept[$0.key]?.runner !== $0.value.runner }.map(\.value.runner)
        for runner in gone { runner.stop() }
        stopped.withLock { $0 = ($0 + gone).filter(\.isBusy) }
    }

    private static func sources(of credential: Credential, _ configuration: Configuration) -> Set<Upstream.Origin>? {
        if configuration.sources(of: credential).isEmpty { return nil }
        return configuration.upstreams.first { $0.bearerName == credential.name }.map { Set($0.endpoints) }
    }

    /// - Parameter isShown: whether an upstream is shown it; other secrets are not looked for in answers.
    private func begin(
        _ credential: Credential, from sources: Set<Upstream.Origin>?, isListed: Bool, isShown: Bool
    ) -> Entry {
        let source = credential.kind.source
        let link = RunnerLink()
        let vault = CredentialVault(credential.kind.presentation, of: source) { link.runner?.take($0) }
        let runner: any CredentialRunner =
            switch source {
            case _ where !isShown: AnswerRunner()
            case .secret(let source): SecretRunner(credential.name, [source], vault, tools)
            case .secrets(let sources): SecretRunner(credential.name, sources, vault, tools)
            case .password(let user, let source):
                // An upstream may echo the decoded password.
                SecretRunner(credential.name, [source], vault, tools) {
                    [Array(Base64.text(Array("\(user):\($0[0])".utf8)).utf8), Array($0[0].utf8)]
                }
            case .program(let program): ProgramRunner(credential.name, program, vault, tools)
            case .tokens(let client): TokenRunner(credential.name, client, vault, tools)
            case .answer: AnswerRunner()
            }
        link.runner = runner
        runner.start()
        return Entry(
            credential: credential, vault: vault, runner: runner, folder: tools.folder?.path, sources: sources,
            isListed: isListed)
    }

    /// By name.
    var reports: [CredentialReport] {
        entries.withLock { $0 }.filter(\.value.isListed).sorted { $0.key < $1.key }.map { name, entry in
            var report = entry.runner.report
            report.name = name
            report.kind = type(of: entry.credential.kind).word
            report.lastUse = entry.vault.lastUse
            return report
        }
    }

    func renew(_ name: String) -> Bool {
        guard let entry = entries.withLock({ $0[name] }), entry.credential.kind.source.isRenewable else { return false }
        entry.runner.renew()
        return true
    }

    func take(_ request: SignInRequest, _ done: @escaping @Sendable (SignInAnswer) -> Void) {
        func refuse(_ detail: String) { done(.failed(Problem(.badParameters, detail: detail))) }
        let name = request.credential
        guard let entry = entries.withLock({ $0[name] }), entry.isListed else {
            return refuse("The daemon knows no credential '\(name)'; if the page has one, run: sluice reload")
        }
        guard case .tokens(let client) = entry.credential.kind.source else {
            return refuse("Nobody signs in for '\(name)': it is no 'oauth2:'.")
        }
        guard let folder = tools.folder else { return refuse("The daemon: \(SignIn.noFolder)") }
        let runner = entry.runner
        desk.take(request, of: .init(name: name, client: client, folder: folder) { runner.lookAgain() }, done)
    }

    /// Waits for token answers that are under way: losing one would lose the tokens that the server has exchanged.
    func finish(within limit: Duration, _ done: @escaping @Sendable () -> Void) {
        let runners = entries.withLock { $0.values.map(\.runner) } + stopped.withLock { $0 }
        for runner in runners { runner.end() }
        let exchanges = tools.exchanges
        exchanges.refuse()
        tools.wait(until: { !exchanges.isBusy && !runners.contains { $0.isBusy } }, within: limit, done)
    }
}

/// Keeps one credential valid. Its calls may come from any thread and do not block, except
/// ``CredentialRunner/take(_:)`` of a loop.
protocol CredentialRunner: AnyObject, Sendable {
    func start()
    func stop()
    func take(_ wish: CredentialVault.Wish)
    func renew()
    /// Looks again for a missing secret.
    func lookAgain()
    /// An answer is on its way that must not be lost.
    var isBusy: Bool { get }
    /// The daemon ends: no request is begun whose answer could be lost.
    func end()
    var report: CredentialReport { get }
}

extension CredentialRunner {
    func renew() {}
    func lookAgain() {}
    var isBusy: Bool { false }
    func end() {}
}

/// Links a vault to the runner that fills it; the vault is created first.
private final class RunnerLink: Sendable {
    private struct Held {
        weak var runner: (any CredentialRunner)?
    }

    private let held = Mutex(Held())

    var runner: (any CredentialRunner)? {
        get { held.withLock { $0.runner } }
        set { held.withLock { $0.runner = newValue } }
    }
}

/// The runner of a token that an answer brings: it has nothing to do.
private final class AnswerRunner: CredentialRunner {
    func start() {}
    func stop() {}
    func take(_ wish: CredentialVault.Wish) {}
    var report: CredentialReport { CredentialReport(state: .ready) }
}
