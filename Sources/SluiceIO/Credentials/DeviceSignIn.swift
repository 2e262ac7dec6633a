internal import Dispatch
internal import SluiceCredentials
internal import SluiceGateway
internal import SluiceSockets
internal import Synchronization

/// One sign-in by a device code: the daemon asks the server on a thread of its own, and a command waits.
final class DeviceSignIn: Sendable {
    private struct State {
        var outcome: SignInAnswer?
        var waiting: [(number: Int, done: @Sendable (SignInAnswer) -> Void)] = []
        var count = 0
        /// When a wait last began or ended.
        var wantedAt = MonotonicClock.now()
    }

    /// A wait for one answer takes no longer than this.
    private static let waitSeconds = 20
    /// For how long the sign-in goes on without a client that waits for it.
    private static let unwantedNanoseconds: UInt64 = 60_000_000_000

    private let signIn: SignIn
    private let code: DeviceCode
    private let subject: SignInDesk.Subject
    private let tools: CredentialTools
    private let state = Mutex(State())

    init(_ signIn: SignIn, _ code: DeviceCode, _ subject: SignInDesk.Subject, _ tools: CredentialTools) {
        self.signIn = signIn
        self.code = code
        self.subject = subject
        self.tools = tools
    }

    func start() throws(SignIn.Failure) {
        let refused = ServiceThread.start("sluice-sign-in") { [self] in
            let answer = SignInDesk.answer(
                { () throws(SignIn.Failure) in
                    .signedIn(.init(try signIn.agree(on: code) { isWanted }, in: subject.folder))
                }, of: subject, tools)
            subject.changed()
            tools.queue.async { [self] in
                let waiting = state.withLock { state in
                    state.outcome = answer
                    defer { state.waiting = [] }
                    return state.waiting
                }
                for waiter in waiting { waiter.done(answer) }
            }
        }
        if refused != 0 { throw SignInDesk.noThread(refused) }
    }

    private var isWanted: Bool {
        state.withLock { state in
            !state.waiting.isEmpty || MonotonicClock.now() &- state.wantedAt < Self.unwantedNanoseconds
        }
    }

    func wait(_ done: @escaping @Sendable (SignInAnswer) -> Void) {
        let (outcome, number) = state.withLock { state in
            state.count += 1
            state.wantedAt = MonotonicClock.now()
            if state.outcome == nil { state.waiting.append((state.count, done)) }
            return (state.outcome, state.count)
        }
        if let outcome { return done(outcome) }
        tools.queue.asyncAfter(deadline: .now() + .seconds(Self.waitSeconds)) { [self] in
            let waiter = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                    return nil as (@Sendable (SignInAnswer) -> Void)?
                }
                state.wantedAt = MonotonicClock.now()
                return state.waiting.remove(at: index).done
            }
            waiter?(.pending)
        }
    }
}
