internal import Logging
internal import SluiceContract
internal import SluiceCredentials
internal import SluiceGateway
internal import SluiceSockets
internal import Synchronization

/// Runs a program that prints a token or keys: when a request needs one, when the last one is about to expire, and when
/// an upstream has refused it.
final class ProgramRunner: CredentialRunner {
    private struct State {
        var isRunning = false
        var isStopped = false
        var failures = 0
        var lastFailure: String?
        var obtainedAt: Int?
        var expiresAt: Int?
        /// The program is not run before this time of the monotonic clock: a failing program is not run for each
        /// request.
        var restsUntil: UInt64 = 0
        /// Number of the latest planned run; earlier plans are void.
        var plans = 0
    }

    private let name: String
    private let program: TokenProgram
    private let vault: CredentialVault
    private let tools: CredentialTools
    private let state = Mutex(State())

    init(_ name: String, _ program: TokenProgram, _ vault: CredentialVault, _ tools: CredentialTools) {
        self.name = name
        self.program = program
        self.vault = vault
        self.tools = tools
    }

    func start() {}
    func stop() { state.withLock { $0.isStopped = true } }
    func renew() { run() }

    func take(_ wish: CredentialVault.Wish) {
        switch wish {
        case .secret: run()
        case .another(let version):
            let isGone = !vault.isOfVersion(version)
            if isGone, isUsable { return }
            if !isGone { tools.audit.note(.refused, of: name) }
            if run() || isGone { return }
            // The program is not run now: requests do not wait for another token.
            tellNoOther()
            tools.surroundings.announce()
        }
    }

    var report: CredentialReport {
        state.withLock { state in
            CredentialReport(
                state: state.failures > 0 ? .failing : state.isRunning ? .renewing : vault.isEmpty ? .missing : .ready,
                obtainedAt: state.obtainedAt, expiresAt: state.expiresAt, lastFailure: state.lastFailure)
        }
    }

    /// - Returns: whether it runs.
    @discardableResult
    private func run() -> Bool {
        let mayRun = state.withLock { state in
            if state.isRunning { return nil as Bool? }
            if state.isStopped || MonotonicClock.now() < state.restsUntil { return false }
            state.isRunning = true
            return true
        }
        guard mayRun == true else { return mayRun == nil }
        let code = ServiceThread.start("sluice-command") { [self] in
            let result = Result { () throws(RequestFault) in try ProgramRun.output(of: program) }
            ended(result)
        }
        if code != 0 { ended(.failure(ProgramRun.notStarted(code))) }
        return true
    }

    private func ended(_ result: Result<[UInt8], RequestFault>) {
        let moment = tools.moment
        let read = result.flatMap { output in
            Result { () throws(RequestFault) in
                let token = try ProgramToken(output, program.output, at: moment)
                return (token, try secret(token, moment))
            }
        }
        switch read {
        case .success(let (token, secret)):
            let lifetime = token.lifetime ?? program.lifetime
            let expiresAt = lifetime.map { Self.end(of: $0, from: moment) }
            // Where an upstream refuses even a new token, the program is not run for each request.
            let restsUntil = moment.now &+ 1_000_000_000
            let before = state.withLock { state in
                defer { state.expiresAt = expiresAt }
                state.isRunning = false
                (state.failures, state.lastFailure) = (0, nil)
                state.obtainedAt = moment.unix
                state.restsUntil = restsUntil
                return state.expiresAt
            }
            tools.audit.note(.renewed(before: before, expiresAt: expiresAt), of: name)
            vault.set(secret)
            vault.noOther(until: restsUntil, at: moment.now)
            // A token that expires before the rest is over is missing for a while, but not for good.
            if let lifetime { plan(at: max(moment.now &+ (lifetime * 4 / 5).nanosecondsClamped, restsUntil)) }
        case .failure(let fault):
            let failures = state.withLock { state in
                state.isRunning = false
                state.failures += 1
                state.lastFailure = "\(fault)"
                state.restsUntil = moment.now &+ UInt64(min(60, 1 << min(state.failures, 6))) * 1_000_000_000
                return state.failures
            }
            tools.audit.note(.renewalFailed("\(fault)"), of: name)
            tools.logger.error(
                "a command has brought no token",
                metadata: ["credential": "\(name)", "reason": "\(fault)", "failures": "\(failures)"])
            // A token that is still valid is shown until it expires, also to requests that waited for another one.
            if isUsable {
                tellNoOther()
            } else {
                vault.withhold(
                    Problem(.credentialUnavailable, detail: "The command of the credential '\(name)' failed: \(fault).")
                )
            }
            plan(at: state.withLock { $0.restsUntil })
        }
        tools.surroundings.announce()
    }

    private func secret(_ token: ProgramToken, _ moment: Moment) throws(RequestFault) -> CredentialVault.Secret {
        let lifetime = token.lifetime ?? program.lifetime
        do throws(SignatureFault) {
            return try CredentialVault.Secret(
                token.texts.map { Array($0.utf8) }, for: vault.presentation,
                usableUntil: lifetime.map { moment.now &+ ($0 * 19 / 20).nanosecondsClamped } ?? .max,
                usableUntilUnix: lifetime.map { Self.end(of: $0, from: moment) } ?? .max)
        } catch {
            throw RequestFault("what it printed cannot be used: \(error)")
        }
    }

    /// In seconds since 1970, rounded up: the exact expiry is on the monotonic clock.
    private static func end(of lifetime: Duration, from moment: Moment) -> Int {
        let (seconds, attoseconds) = lifetime.components
        return moment.unix + Int(seconds) + (attoseconds > 0 ? 1 : 0)
    }

    /// No other token comes while the program rests.
    private func tellNoOther() {
        vault.noOther(until: state.withLock { $0.restsUntil }, at: MonotonicClock.now())
    }

    private var isUsable: Bool {
        let moment = tools.moment
        return vault.isUsable(at: moment.now, unix: moment.unix)
    }

    /// Runs the program at `time`, unless it is run before.
    private func plan(at time: UInt64) {
        let number = state.withLock { state in
            state.plans += 1
            return state.plans
        }
        tools.call(at: time) { [weak self] in
            guard let self, state.withLock({ $0.plans }) == number else { return }
            run()
        }
    }
}
