import Dispatch
import Glibc
import SluiceContract
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

@Suite struct DialTests {
    private struct Outcome {
        var isConnected = false
        var failure: TransportFailure?
        /// Whom it is connected to.
        var peer: SocketAddress?
    }

    private func dial(_ origin: Upstream.Origin, _ resolver: Resolver = Resolver()) throws -> Outcome {
        let bench = try LoopBench(resolver: resolver)
        let link = NotingLink(bench.gateway)
        link.dialing = DialTarget(Upstream(name: "fruit", origin: origin), origin)
        link.touch()
        var outcome = Outcome()
        let isOver = bench.turn {
            if link.isConnected { outcome.peer = SocketAddress(peerOf: link.handle) }
            return link.isConnected || link.failure != nil
        }
        #expect(isOver)
        // Whoever asks for the dial afterwards finds none.
        #expect(link.attachment == nil)
        #expect(link.dialing == nil)
        outcome.isConnected = link.isConnected
        outcome.failure = link.failure
        return outcome
    }

    private func dial(_ addresses: Resolver.Answer) throws -> Outcome {
        let resolver = Resolver(.init(), clock: { MonotonicClock.now() }, lookUp: { _, _ in addresses })
        return try dial(.tcp(host: "fruit.example", port: 80, tls: false), resolver)
    }

    private func origin(_ address: SocketAddress) throws -> Upstream.Origin {
        .tcp(host: try #require(address.host), port: try #require(address.port), tls: false)
    }

    @Test func aPortThatListens() throws {
        let listener = try LoopbackListener(.taken)
        let outcome = try dial(origin(listener.address))
        #expect(outcome.isConnected)
        #expect(outcome.failure == nil)
        #expect(outcome.peer == listener.address)
    }

    @Test func aUnixSocketThatListens() throws {
        let directory = try TemporaryDirectory()
        let listener = try Socket.listen(Listener(.unix(path: directory.file("socket"))), isShared: false)
        defer { close(listener) }
        let outcome = try dial(.unix(path: directory.file("socket")))
        #expect(outcome.isConnected)
        #expect(outcome.peer?.path == directory.file("socket"))
    }

    @Test func aPortThatRefuses() throws {
        let listener = try LoopbackListener(.refused)
        let failure = try #require(try dial(origin(listener.address)).failure)
        #expect(failure.kind == .connectionRefused)
        #expect(failure.detail == "No connection to 'fruit': connection refused.")
    }

    @Test func aUnixSocketThatDoesNotExist() throws {
        let directory = try TemporaryDirectory()
        let failure = try #require(try dial(.unix(path: directory.file("nobody"))).failure)
        #expect(failure.kind == .connectionRefused)
        #expect(failure.detail == "No connection to 'fruit': no such file or directory.")
    }

    /// The queue of a Unix socket may be full for a moment (connect(2), EAGAIN): the program takes those who wait.
    @Test func aUnixSocketWhoseQueueIsFull() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("socket")
        let listener = try Socket.listen(Listener(.unix(path: path)), isShared: false)
        defer { close(listener) }
        // One may wait.
        #expect(Glibc.listen(listener, 0) == 0)
        let first = try PlainClient(try #require(SocketAddress(unixPath: path)))
        let bench = try LoopBench()
        let link = NotingLink(bench.gateway)
        link.dialing = DialTarget(Upstream(name: "fruit", origin: .unix(path: path)), .unix(path: path))
        link.touch()
        var looks = 0
        var taken: Int32 = -1
        let isOver = bench.turn {
            looks += 1
            // By then it has been tried at least once.
            if looks == 3 { taken = accept(listener, nil, nil) }
            return link.isConnected || link.failure != nil
        }
        defer { close(taken) }
        #expect(isOver)
        #expect(taken >= 0)
        #expect(looks > 3)
        #expect(link.isConnected)
        #expect(link.failure == nil)
        withExtendedLifetime(first) {}
    }

    /// Also that no port is left to connect from: nothing is known of the upstream then.
    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL])
    func shortagesAreOurOwn(code: Int32) {
        #expect(Dial.kind(of: code) == .overloaded)
    }

    @Test func aPathThatIsTooLong() throws {
        let path = "/" + String(repeating: "a", count: 107)
        let failure = try #require(try dial(.unix(path: path)).failure)
        #expect(failure.kind == .unreachable)
        #expect(failure.detail.contains("is too long"))
    }

    @Test func aNameThatDoesNotExist() throws {
        let failure = try #require(try dial(.failure(.notFound)).failure)
        #expect(failure.kind == .nameNotFound)
        #expect(failure.detail == "The name 'fruit.example' of 'fruit': no such name.")
    }

    /// That says nothing of the name.
    @Test func tooManyWaitForNames() throws {
        let failure = try #require(try dial(.failure(.overloaded)).failure)
        #expect(failure.kind == .overloaded)
        #expect(failure.detail == "The name 'fruit.example' of 'fruit': too many connections wait for names already.")
    }

    @Test func aNameWithoutAddresses() throws {
        #expect(try dial(.success([])).failure?.kind == .unreachable)
    }

    @Test func theSecondAddressAfterTheFirstHasRefused() throws {
        let (refusing, listener) = (try LoopbackListener(.refused), try LoopbackListener(.taken))
        let outcome = try dial(.success([refusing.address, listener.address]))
        #expect(outcome.peer == listener.address)
        #expect(outcome.failure == nil)
    }

    /// RFC 8305 §5: the second is tried beside a first that says nothing.
    @Test func theSecondAddressBesideASilentOne() throws {
        let (silent, listener) = (try LoopbackListener(.unanswered), try LoopbackListener(.taken))
        let outcome = try dial(.success([silent.address, listener.address]))
        #expect(outcome.peer == listener.address)
        #expect(outcome.failure == nil)
    }

    @Test func everyAddressRefuses() throws {
        let (first, second) = (try LoopbackListener(.refused), try LoopbackListener(.refused))
        let outcome = try dial(.success([first.address, second.address]))
        #expect(outcome.failure?.kind == .connectionRefused)
    }

    /// Lets the link begin its dial and give it up.
    /// - Returns: whether the loop has let go of the dial.
    private func hasGivenUp(_ link: NotingLink, _ bench: LoopBench) -> Bool {
        link.touch()
        var hasBegun = false
        return bench.turn {
            if !hasBegun, link.attachment is Dial {
                hasBegun = true
                link.ending = .aborted
                link.touch()
            }
            return hasBegun && link.attachment == nil
        }
    }

    /// A link that has given up, on time or for another reason, hears no more of its connection.
    @Test func nobodyWaitsAnyMore() throws {
        let silent = try LoopbackListener(.unanswered)
        let bench = try LoopBench()
        let link = NotingLink(bench.gateway)
        let origin = try origin(silent.address)
        link.dialing = DialTarget(Upstream(name: "fruit", origin: origin), origin)
        #expect(hasGivenUp(link, bench))
        #expect(!link.isConnected)
        #expect(link.failure == nil)
    }

    /// A link that has given up while its name is looked up takes no place from others.
    @Test func nobodyWaitsForTheName() throws {
        let gate = DispatchSemaphore(value: 0)
        var settings = Resolver.Settings()
        settings.waitingMax = 1
        let resolver = Resolver(
            settings, clock: { MonotonicClock.now() },
            lookUp: { _, _ in
                gate.wait()
                return .failure(.notFound)
            })
        let bench = try LoopBench(resolver: resolver)
        let link = NotingLink(bench.gateway)
        let origin = Upstream.Origin.tcp(host: "dead.example", port: 80, tls: false)
        link.dialing = DialTarget(Upstream(name: "fruit", origin: origin), origin)
        #expect(hasGivenUp(link, bench))
        #expect(link.failure == nil)
        let hasPlace = resolver.resolve(host: "fruit.example", port: 80) { _ in } != nil
        #expect(hasPlace)
        for _ in 0..<2 { gate.signal() }
    }
}
