import Dispatch
import SluiceSockets
import Synchronization
import Testing

@testable import SluiceIO

private let second: UInt64 = 1_000_000_000
private let first = [SocketAddress(literal: "192.0.2.1", port: 80)!]
private let other = [SocketAddress(literal: "192.0.2.2", port: 80)!]

/// A clock and a name service that a test commands: a look-up lasts until the test answers it.
private final class Stage: Sendable {
    private let answers = Mutex<[Resolver.Answer]>([])
    private let asked = DispatchSemaphore(value: 0)
    private let answered = DispatchSemaphore(value: 0)
    private let delivered = DispatchSemaphore(value: 0)
    private let deliveries = Mutex<[Resolver.Answer]>([])
    let now = Atomic<UInt64>(1_000 * second)

    func resolver(_ settings: Resolver.Settings = .init()) -> Resolver {
        Resolver(
            settings, clock: { self.now.load(ordering: .relaxed) },
            lookUp: { _, _ in
                self.asked.signal()
                self.answered.wait()
                return self.answers.withLock { $0.removeFirst() }
            })
    }

    func resolve(_ resolver: Resolver, _ host: String = "fruit.example") {
        resolver.resolve(host: host, port: 80) { answer in
            self.deliveries.withLock { $0.append(answer) }
            self.delivered.signal()
        }
    }

    /// Answers the oldest look-up.
    func answer(_ answer: Resolver.Answer) {
        asked.wait()
        answers.withLock { $0.append(answer) }
        answered.signal()
    }

    func delivery() -> Resolver.Answer {
        delivered.wait()
        return deliveries.withLock { $0.removeFirst() }
    }

    var hasDelivery: Bool { deliveries.withLock { !$0.isEmpty } }

    func pass(_ time: UInt64) {
        now.add(time, ordering: .relaxed)
    }
}

@Suite struct ResolverTests {
    @Test(arguments: [
        ("127.0.0.1", ["127.0.0.1:80"]), ("[::1]", ["[::1]:80"]),
        ("localhost", ["127.0.0.1:80", "[::1]:80"]), ("LocalHost.", ["127.0.0.1:80", "[::1]:80"]),
        ("api.localhost", ["127.0.0.1:80", "[::1]:80"]),
    ])
    func needsNoAsking(host: String, addresses: [String]) throws {
        let stage = Stage()
        stage.resolve(stage.resolver(), host)
        #expect(try stage.delivery().get().map(\.description) == addresses)
    }

    @Test func manyShareOneLookUp() {
        let stage = Stage()
        let resolver = stage.resolver()
        for host in ["fruit.example", "FRUIT.example", "fruit.example"] { stage.resolve(resolver, host) }
        #expect(!stage.hasDelivery)
        stage.answer(.success(first))
        for _ in 0..<3 { #expect(stage.delivery() == .success(first)) }
        // From memory now: a look-up would not be answered.
        stage.resolve(resolver)
        #expect(stage.delivery() == .success(first))
    }

    @Test func anOldAnswerServesWhileItIsRefreshed() {
        let stage = Stage()
        let resolver = stage.resolver()
        stage.resolve(resolver)
        stage.answer(.success(first))
        #expect(stage.delivery() == .success(first))
        stage.pass(31 * second)
        stage.resolve(resolver)
        stage.resolve(resolver)
        #expect(stage.delivery() == .success(first))
        #expect(stage.delivery() == .success(first))
        stage.answer(.success(other))
        // The refreshed answer takes over as soon as the look-up's thread has stored it.
        var answer = Resolver.Answer.success(first)
        while answer == .success(first) {
            stage.resolve(resolver)
            answer = stage.delivery()
        }
        #expect(answer == .success(other))
    }

    @Test func aFailureKeepsTheOldAnswer() {
        let stage = Stage()
        let resolver = stage.resolver()
        stage.resolve(resolver)
        stage.answer(.success(first))
        #expect(stage.delivery() == .success(first))
        // Too old to be served meanwhile, so the delivery waits for the failing look-up and is still the old answer.
        stage.pass(601 * second)
        stage.resolve(resolver)
        stage.answer(.failure(.temporary("no name server")))
        #expect(stage.delivery() == .success(first))
    }

    @Test func aFailureIsRememberedForAMoment() {
        let stage = Stage()
        let resolver = stage.resolver()
        stage.resolve(resolver)
        stage.answer(.failure(.notFound))
        #expect(stage.delivery() == .failure(.notFound))
        stage.resolve(resolver)
        #expect(stage.delivery() == .failure(.notFound))
        stage.pass(second)
        stage.resolve(resolver)
        stage.answer(.success(first))
        #expect(stage.delivery() == .success(first))
    }

    @Test func waitingIsBounded() {
        let stage = Stage()
        var settings = Resolver.Settings()
        settings.waitingMax = 2
        let resolver = stage.resolver(settings)
        stage.resolve(resolver)
        stage.resolve(resolver)
        stage.resolve(resolver)
        #expect(stage.delivery() == .failure(.overloaded))
        stage.answer(.success(first))
        #expect(stage.delivery() == .success(first))
        #expect(stage.delivery() == .success(first))
    }

    /// Who has given up leaves its place, though the look-up goes on.
    @Test func whoHasGivenUpLeavesItsPlace() throws {
        let stage = Stage()
        var settings = Resolver.Settings()
        settings.waitingMax = 1
        let resolver = stage.resolver(settings)
        let ticket = resolver.resolve(host: "dead.example", port: 80) { _ in Issue.record("nobody waits for that") }
        stage.resolve(resolver)
        #expect(stage.delivery() == .failure(.overloaded))
        // Its place is free once, however often it is left.
        for _ in 0..<2 { resolver.withdraw(try #require(ticket)) }
        stage.resolve(resolver)
        stage.resolve(resolver)
        #expect(stage.delivery() == .failure(.overloaded))
        for _ in 0..<2 { stage.answer(.success(first)) }
        #expect(stage.delivery() == .success(first))
        #expect(!stage.hasDelivery)
    }

    /// A look-up that has not begun when the last one gives up is not made, and its name is not remembered.
    @Test func whatNobodyWaitsForIsNotLookedUp() throws {
        let stage = Stage()
        var settings = Resolver.Settings()
        settings.lookupsMax = 1
        settings.namesMax = 2
        let resolver = stage.resolver(settings)
        stage.resolve(resolver, "a.example")
        let tickets = (0..<2).map { _ in
            resolver.resolve(host: "b.example", port: 80) { _ in Issue.record("nobody waits for that") }
        }
        resolver.withdraw(try #require(tickets[0]))
        // Somebody else waits for it yet.
        stage.resolve(resolver, "c.example")
        #expect(stage.delivery() == .failure(.overloaded))
        resolver.withdraw(try #require(tickets[1]))
        stage.resolve(resolver, "c.example")
        stage.answer(.success(first))
        #expect(stage.delivery() == .success(first))
        // The next look-up is that of the name that is waited for.
        stage.answer(.success(other))
        #expect(stage.delivery() == .success(other))
    }

    /// A name that nobody answers for leaves places to others.
    @Test func oneNameHasNotAllPlaces() {
        let stage = Stage()
        var settings = Resolver.Settings()
        settings.waitingPerNameMax = 1
        let resolver = stage.resolver(settings)
        for name in ["dead.example", "dead.example", "fruit.example"] { stage.resolve(resolver, name) }
        #expect(stage.delivery() == .failure(.overloaded))
        #expect(!stage.hasDelivery)
        for _ in 0..<2 { stage.answer(.success(first)) }
        for _ in 0..<2 { #expect(stage.delivery() == .success(first)) }
    }

    @Test func lookUpsQueueForTheirThreads() {
        let stage = Stage()
        var settings = Resolver.Settings()
        settings.lookupsMax = 1
        settings.namesMax = 3
        let resolver = stage.resolver(settings)
        for name in ["a.example", "b.example", "c.example", "d.example"] { stage.resolve(resolver, name) }
        // The fourth name finds three that cannot be forgotten, because they are being looked up.
        #expect(stage.delivery() == .failure(.overloaded))
        for _ in 0..<3 {
            stage.answer(.success(first))
            #expect(stage.delivery() == .success(first))
        }
        stage.resolve(resolver, "d.example")
        stage.answer(.success(other))
        #expect(stage.delivery() == .success(other))
    }

    /// The system's own resolver; these names are answered without a network.
    @Test func systemLookUp() {
        #expect(NameLookup.system(host: "", port: 80) == .failure(.notFound))
        #expect(NameLookup.system(host: "a\0b", port: 80) == .failure(.notFound))
        #expect(
            NameLookup.system(host: "127.0.0.1", port: 80) == .success([SocketAddress(literal: "127.0.0.1", port: 80)!])
        )
    }
}
