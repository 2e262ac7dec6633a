internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceFiles
internal import SluiceGateway
internal import SluiceSigning
internal import Synchronization
internal import Glibc

/// Keeps every credential good, off the loops: on a queue of its own. A credential that a reload leaves as it is goes
/// on undisturbed, whatever it has meanwhile.
final class CredentialKeeper: CredentialBoard {
    private struct Entry {
        var credential: Credential
        var vault: CredentialVault
        var runner: any CredentialRunner
        /// Where tokens were kept when it began.
        var folder: String?
        /// Whose answers bring another secret (`keep:`), which hides the page's own and is for nobody else; nil where
        /// none do.
        var sources: Set<Upstream.Origin>?
        /// Whether it is told of: the value of a field or a parameter is kept like a credential, and is none.
        var isListed: Bool

        /// Whether a secret that an answer has brought may be shown to these.
        func mayServe(_ others: Set<Upstream.Origin>?) -> Bool {
            guard let sources, let others else { return sources == others }
            return others.isSubset(of: sources)
        }
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// No longer configured, and not at their end yet.
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
                // What could not be read may be there now.
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

    /// - Parameter isShown: to an upstream; what nobody is shown is not looked for.
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
                // An upstream may echo the password as it was read out.
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

    /// Waits for answers that must not be lost: what a server has exchanged is gone with them.
    func finish(within limit: Duration, _ done: @escaping @Sendable () -> Void) {
        let runners = entries.withLock { $0.values.map(\.runner) } + stopped.withLock { $0 }
        for runner in runners { runner.end() }
        tools.wait(until: { !runners.contains { $0.isBusy } }, within: limit, done)
    }
}

/// What keeps one credential good. Its calls may come from any thread, but for ``CredentialRunner/take(_:)`` of a loop
/// none waits for anything.
protocol CredentialRunner: AnyObject, Sendable {
    func start()
    func stop()
    func take(_ wish: CredentialVault.Wish)
    func renew()
    /// Looks once more for what was missing.
    func lookAgain()
    /// An answer is on its way that must not be lost.
    var isBusy: Bool { get }
    /// The daemon ends: nothing begins whose answer could be lost with it.
    func end()
    var report: CredentialReport { get }
}

extension CredentialRunner {
    func renew() {}
    func lookAgain() {}
    var isBusy: Bool { false }
    func end() {}
}

/// From a vault to what fills it; the vault is there first.
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

/// A token that an answer brings: nothing is to be done for it.
private final class AnswerRunner: CredentialRunner {
    func start() {}
    func stop() {}
    func take(_ wish: CredentialVault.Wish) {}
    var report: CredentialReport { CredentialReport(state: .ready) }
}
