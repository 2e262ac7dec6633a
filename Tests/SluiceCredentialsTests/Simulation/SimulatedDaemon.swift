import SluiceContract

@testable import SluiceCredentials
@testable import SluiceGateway

/// A daemon, as far as one credential goes: the real machine, vault and folder, and what `TokenRunner` does with its
/// orders. It may die before any of them.
final class SimulatedDaemon: @unchecked Sendable {
    unowned let world: TokenSimulation
    let name: String
    private(set) var vault = CredentialVault()
    private(set) var loops: [SimulatedLoop] = []
    private(set) var isDead = false
    /// Requests that are under way.
    var open = 0
    private(set) var machine: TokenMachine
    private let folder: StateFolder
    private var lock: StateLock?
    private var alarms = 0
    private var lockWantedUntil: UInt64 = 0
    private(set) var isInFlight = false
    /// Refresh tokens that went out and are not answered, since when.
    private var waiting: [String: UInt64] = [:]
    /// When each question went out.
    private var askedAt: [Int: UInt64] = [:]
    /// When tokens end, as far as this daemon can know: by its date, and by the time that has passed.
    private var ends: [String: (unix: Int, now: UInt64)] = [:]

    init(_ world: TokenSimulation, _ name: String) throws {
        self.world = world
        self.name = name
        folder = try StateFolder("/state", on: world.disk)
        machine = TokenMachine("fruit", world.client, seed: world.random.next())
        vault = CredentialVault(.bearer, of: .tokens(world.client)) { [weak self] wish in self?.take(wish) }
        loops = (0..<2).map { _ in SimulatedLoop(self) }
        after(0.01) { self.look() }
    }

    var waitSeconds: Double { Double(world.client.wait.components.seconds) }

    /// Nothing happens in a process that is dead.
    func after(_ seconds: Double, _ body: @escaping () -> Void) {
        world.after(seconds) { [self] in if !isDead { body() } }
    }

    func kill() {
        if isDead { return }
        world.note("\(name) dies")
        isDead = true
        isInFlight = false
        lock = nil
        world.died(self)
    }

    // MARK: - Facts

    private func take(_ wish: CredentialVault.Wish) {
        after(0.001) { [self] in
            switch wish {
            case .secret: take(.wanted)
            case .another(let version): take(vault.isOfVersion(version) ? .refused : .wanted)
            }
        }
    }

    func look() {
        do throws(StateFault) { take(.found(try folder.load("fruit"))) } catch {
            world.violate("what is stored cannot be read: \(error)")
        }
    }

    private func take(_ fact: TokenMachine.Fact) {
        if isDead { return }
        let orders = machine.take(fact, at: world.moment)
        world.note("\(name): \(fact) → \(orders)")
        isInFlight = isInFlight && machine.isAsking
        for order in orders {
            if world.diesNow() { kill() }
            if isDead { return }
            carryOut(order)
        }
    }

    // MARK: - Orders

    private func carryOut(_ order: TokenMachine.Order) {
        switch order {
        case .lock:
            lockWantedUntil = world.now + 45_000_000_000
            vault.mayChange()
            takeLock()
        case .unlock:
            // What it has asked is given up; the machine may have something else to do yet.
            lock = nil
            isInFlight = false
        case .save(let record): save(record)
        case .ask(let question, let number): ask(question, number)
        case .show(let token):
            if let record = machine.record, record.accessToken == token.text, let end = record.expiresAt {
                ends[token.text] = (end, ends[token.text]?.now ?? .max)
            }
            vault.set(
                .init(
                    Array(token.text.utf8), usableUntil: token.usableUntil, usableUntilUnix: token.usableUntilUnix,
                    family: token.family))
            announce()
        case .noOther(let time):
            vault.noOther(until: time, at: world.now)
            announce()
        case .forget:
            vault.set(nil)
            announce()
        case .withhold(let problem):
            vault.withhold(problem)
            announce()
        case .alarm(let time):
            alarms += 1
            let number = alarms
            let wait = time > world.now ? min(Double(time - world.now) / 1e9, 1e8) : 0
            after(wait) { [self] in if alarms == number { take(.alarm) } }
        case .note: break
        }
    }

    private func announce() {
        for loop in loops { after(world.seconds(upTo: 0.003)) { loop.changed() } }
    }

    private func takeLock() {
        do throws(StateFault) {
            let taken = world.omission == .lock ? StateLock {} : try folder.lock("fruit")
            guard let lock = taken else {
                if world.now >= lockWantedUntil { return take(.notLocked("it is held for too long")) }
                return after(0.25) { [self] in takeLock() }
            }
            self.lock = lock
            take(.locked(try folder.load("fruit")))
        } catch {
            if world.disk.takeInterruption() { return kill() }
            world.violate("what is stored cannot be read: \(error)")
        }
    }

    private func save(_ record: TokenRecord) {
        var record = record
        if world.omission == .previousToken { record.previousRefreshToken = nil }
        do throws(StateFault) {
            try folder.save(record, of: "fruit")
            take(.saved)
        } catch {
            if world.disk.takeInterruption() { return kill() }
            take(.notSaved("\(error)"))
        }
        world.filesChanged()
    }

    private func ask(_ question: TokenQuestion, _ number: Int) {
        if world.daemons.contains(where: { $0.isInFlight }) { world.violate("two renewals at once") }
        isInFlight = true
        askedAt[number] = world.now
        guard case .refresh(let token) = question else { return world.violate("it asks for \(question)") }
        let patience = UInt64(world.client.patience / .nanoseconds(1))
        if let since = waiting[token], world.now - since < patience {
            world.violate("\(token) goes out again while its answer may come")
        }
        waiting[token] = world.now
        world.ask(token) { [self] answer in
            if isDead { return }
            waiting[token] = nil
            if case .tokens(let tokens) = answer, let asked = askedAt[number], let lifetime = tokens.lifetime {
                ends[tokens.accessToken] = (.max, asked + UInt64(lifetime) * 1_000_000_000)
            }
            isInFlight = isInFlight && machine.questions != number
            take(.answered(answer, to: number))
        }
    }

    // MARK: - What must hold

    /// A request goes out with this token.
    func check(_ token: String) {
        guard let end = ends[token] else { return world.violate("a token from nowhere") }
        if world.moment.unix >= end.unix || world.now >= end.now {
            world.violate("a request goes out with a token that has ended")
        }
    }
}
