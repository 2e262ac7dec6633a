internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceFiles
internal import SluiceGateway
internal import SluiceSockets
internal import Synchronization

/// Carries out what the ``TokenMachine`` of one OAuth credential orders.
final class TokenRunner: CredentialRunner {
    private struct State {
        var machine: TokenMachine
        var lock: StateLock?
        /// Number of the latest alarm; earlier ones are void.
        var alarms = 0
        var lockWantedUntil: UInt64?
        var watch: FileWatcher.Watch?
        var isStopped = false
        /// The daemon ends: no renewal begins any more.
        var isEnding = false
        /// Whether the stored tokens have been read once.
        var hasLooked = false
        /// A token that cannot be shown, and why: its key is looked at again when the file changes.
        var unshown: (token: TokenMachine.Token, reason: String)?
        var keyWatch: FileWatcher.Watch?
    }

    let name: String
    let client: OAuth2Client
    private let vault: CredentialVault
    let tools: CredentialTools
    private let server: TokenServer
    /// Used on the queue; locked for reports.
    private let state: Mutex<State>
    /// Whether the damage of the stored record is logged: it is found at the start, and again under the lock.
    private let isDamageTold = Atomic(false)
    /// Whether it is logged that another client's sign-in is in the way, which each renewal finds.
    private let isForeignTold = Atomic(false)

    init(_ name: String, _ client: OAuth2Client, _ vault: CredentialVault, _ tools: CredentialTools) {
        self.name = name
        self.client = client
        self.vault = vault
        self.tools = tools
        server = TokenServer(client, tools)
        state = Mutex(State(machine: TokenMachine(name, client, seed: .random(in: .min ... .max))))
    }

    func start() {
        if let key = client.proofKey {
            let watch = tools.watcher.watch(key.path) { [weak self, tools] in
                tools.queue.async { [weak self] in self?.showAgain() }
            }
            state.withLock { $0.keyWatch = watch }
        }
        guard let folder = tools.folder else {
            if client.grant.needsLogin {
                tools.logger.error(
                    "there is no folder for tokens; name one with 'state:'", metadata: ["credential": "\(name)"])
            }
            return tools.queue.async { self.take(.found(nil)) }
        }
        // If the folder does not exist when the watch begins, other processes' changes in it are not seen.
        do throws(StateFault) { try folder.prepare() } catch {
            let metadata: Logger.Metadata = ["credential": "\(name)", "reason": "\(error)"]
            if client.grant.needsLogin {
                tools.logger.error("tokens cannot be kept", metadata: metadata)
            } else {
                tools.logger.warning("tokens cannot be kept", metadata: metadata)
            }
        }
        let watch = tools.watcher.watch(folder.file(of: name)) { [weak self, tools] in
            tools.queue.async { [weak self] in self?.look() }
        }
        state.withLock { $0.watch = watch }
        tools.queue.async { self.look() }
    }

    func stop() {
        let watches = state.withLock { state in
            state.isStopped = true
            return [state.watch, state.keyWatch]
        }
        for watch in watches.compactMap(\.self) { tools.watcher.stop(watch) }
        tools.queue.async { self.dismiss() }
    }

    func end() { state.withLock { $0.isEnding = true } }

    /// Requests that began under the old configuration need not wait for a token that will not come, nor do those whose
    /// token an upstream has refused.
    private func dismiss() {
        let moment = tools.moment
        if isBusy { return }
        if vault.isUsable(at: moment.now, unix: moment.unix) {
            vault.retire()
        } else {
            vault.withhold(CredentialVault.changed(name))
        }
        tools.surroundings.announce()
    }

    func take(_ wish: CredentialVault.Wish) {
        tools.queue.async { [self] in
            switch wish {
            case .secret: take(.wanted)
            case .another(let version):
                // Many requests are refused at once; only the first counts. If the token has been replaced since, this
                // request waits for the next one like any other.
                take(vault.isOfVersion(version) ? .refused : .wanted)
            }
        }
    }

    func renew() { tools.queue.async { self.take(.demanded) } }

    func lookAgain() {
        tools.queue.async {
            self.look()
            self.showAgain()
        }
    }

    var isBusy: Bool { state.withLock { $0.machine.isAsking } }

    var report: CredentialReport {
        let (machine, unshown) = state.withLock { ($0.machine, $0.unshown) }
        let isUsable = unshown == nil && machine.isUsable(at: tools.moment)
        var report = CredentialReport(
            state: machine.isSignedOut
                ? .signInNeeded
                : machine.failures > 0 ? .failing : machine.isAsking ? .renewing : isUsable ? .ready : .missing)
        report.obtainedAt = machine.record?.obtainedAt
        report.expiresAt = machine.record?.expiresAt
        report.scope = machine.record?.scope
        report.lastFailure = machine.lastFailure ?? unshown?.reason
        return report
    }

    // MARK: - Facts

    /// Another process may have signed in or out, or renewed the token.
    private func look() {
        guard let folder = tools.folder else { return }
        do throws(StateFault) {
            take(.found(try load(from: folder)))
        } catch {
            if !error.mayPass { return take(.damaged("\(error)")) }
            tools.logger.warning("tokens cannot be read", metadata: ["credential": "\(name)", "reason": "\(error)"])
            tools.queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.look() }
        }
    }

    /// The stored record. A damaged one counts as none where nobody has to agree to another token.
    private func load(from folder: StateFolder) throws(StateFault) -> TokenRecord? {
        do throws(StateFault) {
            let record = try folder.load(name)
            isDamageTold.store(false, ordering: .relaxed)
            return record
        } catch {
            guard error.isDamage, TokenQuestion(client, nil) == .own else { throw error }
            if isDamageTold.exchange(true, ordering: .relaxed) { return nil }
            tools.logger.warning(
                "a token file is damaged; nothing is to be done, another token takes its place",
                metadata: ["credential": "\(name)", "file": "\(folder.file(of: name))"])
            return nil
        }
    }

    private func take(_ fact: TokenMachine.Fact) {
        let (orders, isStopped, change) = state.withLock { state in
            // A renewal in progress is finished: the tokens that the server has exchanged must not be lost.
            let isOver = state.isStopped && !state.machine.isAsking && !fact.isAnswer
            let before = state.machine.record
            let orders = isOver ? [] : state.machine.take(fact, at: tools.moment)
            defer { state.hasLooked = state.hasLooked || fact.isFinding }
            // The state at the daemon's start is not reported as a change.
            return (orders, state.isStopped, state.hasLooked ? TokenChange(before, state.machine.record) : nil)
        }
        if fact == .refused { tools.audit.note(.refused, of: name) }
        if case .damaged = fact {} else if let change { tell(change) }
        for order in orders where !isStopped || order.outlivesReload { carryOut(order) }
    }

    // MARK: - Orders

    private func carryOut(_ order: TokenMachine.Order) {
        switch order {
        case .lock:
            let until = MonotonicClock.now() &+ StateFolder.lockWait.nanosecondsClamped
            state.withLock { $0.lockWantedUntil = until }
            // A renewal begins, and requests may wait for what it brings.
            vault.mayChange()
            take(.given(server.givenDigest))
            lock()
        case .unlock: state.withLock { $0.lock = nil }
        case .save(let record): save(record)
        case .ask(let question, let number): ask(question, number)
        case .show(let token):
            show(token)
            tools.surroundings.announce()
        case .noOther(let time):
            vault.noOther(until: time, at: MonotonicClock.now())
            tools.surroundings.announce()
        case .forget:
            state.withLock { $0.unshown = nil }
            vault.set(nil)
            tools.surroundings.announce()
        case .withhold(let problem):
            state.withLock { $0.unshown = nil }
            vault.withhold(problem)
            tools.surroundings.announce()
        case .alarm(let time):
            let number = state.withLock { state in
                state.alarms += 1
                return state.alarms
            }
            tools.call(at: time) { [weak self] in
                guard let self, state.withLock({ $0.alarms }) == number else { return }
                take(.alarm)
            }
        case .note(let note): log(note)
        }
    }

    /// A token that is bound to a key is shown with proofs of it.
    private func show(_ token: TokenMachine.Token) {
        do throws(ShowFault) {
            let key = try proofKey()
            vault.set(try secret(token, key))
            state.withLock { $0.unshown = nil }
        } catch {
            state.withLock { $0.unshown = (token, error.reason) }
            tools.logger.error(
                "a token cannot be shown", metadata: ["credential": "\(name)", "reason": "\(error.reason)"])
            vault.withhold(
                Problem(
                    .credentialUnavailable,
                    detail: "The token of the credential '\(name)' cannot be shown: \(error.reason)."))
        }
    }

    /// The key that was missing or damaged may be there now.
    private func showAgain() {
        guard let token = state.withLock({ $0.isStopped ? nil : $0.unshown?.token }) else { return }
        show(token)
        tools.surroundings.announce()
    }

    private struct ShowFault: Error {
        var reason: String
    }

    /// - Returns: PEM; nil where tokens are bound to none.
    private func proofKey() throws(ShowFault) -> [UInt8]? {
        guard let path = client.proofKey?.path else { return nil }
        do throws(TokenFileError) {
            return try TokenReader.bytes(path: path, credentialsDirectory: tools.credentialsDirectory)
        } catch {
            throw ShowFault(reason: "'dpop-key': \(error)")
        }
    }

    private func secret(
        _ token: TokenMachine.Token, _ key: [UInt8]?
    ) throws(ShowFault) -> CredentialVault.Secret {
        do throws(SignatureFault) {
            return try CredentialVault.Secret(
                [Array(token.text.utf8)] + [key].compactMap(\.self), for: vault.presentation,
                usableUntil: token.usableUntil, usableUntilUnix: token.usableUntilUnix, family: token.family)
        } catch {
            throw ShowFault(reason: "\(error)")
        }
    }

    private func lock() {
        if state.withLock({ $0.isEnding && !$0.machine.isAsking }) { return take(.notLocked("the daemon is ending")) }
        guard let folder = tools.folder else { return take(.locked(state.withLock { $0.machine.record })) }
        do throws(StateFault) {
            guard let lock = try folder.lock(name) else { return lockLater() }
            state.withLock { $0.lock = lock }
        } catch {
            // A grant that needs no sign-in works without a folder.
            if needsFolder { return take(.notLocked("\(error)")) }
            return take(.locked(state.withLock { $0.machine.record }))
        }
        do throws(StateFault) {
            take(.locked(try load(from: folder)))
        } catch {
            if !error.mayPass { return take(.damaged("\(error)")) }
            state.withLock { $0.lock = nil }
            take(.notLocked("\(error)"))
        }
    }

    /// Whether tokens have to be stored: they come from a person's sign-in, or can be used only once.
    private var needsFolder: Bool {
        // What is stored is not known yet, perhaps: the configured token may have been used already.
        if client.grant.needsLogin || TokenQuestion(client, nil) == .configuredRefresh { return true }
        return state.withLock { $0.machine.record?.refreshToken != nil }
    }

    private func ask(_ question: TokenQuestion, _ number: Int) {
        // Kept until then, though the configuration may have forgotten it.
        let done: @Sendable (TokenAnswer) -> Void = { answer in
            self.tools.queue.async { self.take(.answered(answer, to: number)) }
        }
        let record = state.withLock { $0.machine.record }
        if let folder = tools.folder, question.needsRoom(client, after: record, given: server.givenDigest) {
            do throws(StateFault) { try folder.makeRoom(of: name) } catch {
                return done(.unavailable("its tokens could not be kept: \(error)", retryAfterSeconds: nil))
            }
        }
        server.ask(question, while: { self.state.withLock { $0.machine.isAsked(number) } }, done)
    }

    private func lockLater() {
        let isOver = state.withLock { $0.lockWantedUntil.map { MonotonicClock.now() >= $0 } ?? true }
        if isOver { return take(.notLocked("another process has held its lock for too long")) }
        tools.queue.asyncAfter(deadline: .now() + .milliseconds(25)) { [weak self] in
            guard let self, state.withLock({ !$0.isStopped || $0.machine.isAsking }) else { return }
            lock()
        }
    }

    private func save(_ record: TokenRecord) {
        guard let folder = tools.folder else { return take(.saved) }
        do throws(StateFault) {
            try folder.save(record, of: name)
            isForeignTold.store(false, ordering: .relaxed)
            take(.saved)
        } catch {
            if error.isForeign {
                if !isForeignTold.exchange(true, ordering: .relaxed) { tellForeign(error) }
                return take(.saved)
            }
            if !client.grant.needsLogin, record.refreshToken == nil {
                tools.logger.warning(
                    "a token is not kept", metadata: ["credential": "\(name)", "reason": "\(error)"])
                return take(.saved)
            }
            take(.notSaved("\(error)"))
        }
    }
}
