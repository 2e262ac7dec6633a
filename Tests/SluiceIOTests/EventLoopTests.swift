import Glibc
import SluiceContract
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// Whom a loop reads from first, and how it ends; what a connection of it reads and writes is in ``TransportTests``.
@Suite struct EventLoopTests {
    /// Puts one end of a pair under the care of a client's link.
    private func adopt(_ pair: SocketPair, by bench: LoopBench, peer: Transport.Peer = .unixSocket) {
        let transport = Transport(
            descriptor: pair.ours, registration: bench.loop.nextRegistrationNumber(),
            link: bench.gateway.accepted(address: [], isTLS: false), tls: nil, peer: peer)
        #expect(bench.loop.adopt(transport, isRegistered: false))
    }

    /// Who has had much to read is read from behind all others, whoever of them the kernel names first.
    @Test func longReadsComeLast() throws {
        let bench = try LoopBench()
        let much = [UInt8](repeating: 7, count: 70_000)
        let pairs = try (0..<4).map { _ in try SocketPair(.unix) }
        let links = pairs.map { _ in NotingLink(bench.gateway) }
        let short = 3
        var told: [Int] = []
        for (index, link) in links.enumerated() {
            let transport = Transport(
                descriptor: pairs[index].ours, registration: bench.loop.nextRegistrationNumber(), link: link, tls: nil,
                peer: .unixSocket)
            #expect(bench.loop.adopt(transport, isRegistered: false))
            link.afterFact = { _ in
                told.append(index)
                guard told.count == short else { return }
                // All but the last have been read from once, and have as much again.
                for pair in pairs[..<short] { #expect(pair.send(much)) }
                #expect(pairs[short].send([1]))
            }
        }
        for pair in pairs[..<short] { #expect(pair.send(much)) }
        #expect(bench.turn { told.count == 7 })
        #expect(told == [0, 1, 2, short, 0, 1, 2])
        #expect(links.map(\.bytes.count) == [140_000, 140_000, 140_000, 1])
        for link in links { link.afterFact = { _ in } }
    }

    @Test func drainsAtOnceWhereNothingIsInFlight() throws {
        let bench = try LoopBench()
        let pair = try SocketPair(.unix)
        adopt(pair, by: bench)
        var verdict: Bool?
        let deadline = MonotonicClock.now() + 3_600_000_000_000
        bench.loop.drain(until: deadline) { verdict = $0 }
        bench.loop.run()
        #expect(verdict == true)
        #expect(bench.gateway.counters.connections == 0)
    }

    /// A request that has begun is waited for; when the time is over it is cut off, and that is told.
    @Test func drainsUntilTheTimeIsOver() throws {
        let bench = try LoopBench()
        let pair = try SocketPair(.unix)
        adopt(pair, by: bench)
        #expect(pair.send(Array("GET /a HTTP/1.1\r\nHost: loc".utf8)))
        var verdict: Bool?
        bench.loop.drain(until: MonotonicClock.now() + 1_000_000) { verdict = $0 }
        bench.loop.run()
        #expect(verdict == false)
        #expect(bench.gateway.counters.connections == 0)
    }

    /// Requests that have arrived are in flight, though nobody has read them yet.
    @Test func drainingReadsWhatHasArrived() throws {
        let bench = try LoopBench()
        let pair = try SocketPair(.unix)
        adopt(pair, by: bench)
        #expect(pair.send(Array("GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)))
        var verdict: Bool?
        bench.loop.drain(until: MonotonicClock.now() + 10_000_000_000) { verdict = $0 }
        bench.loop.run()
        #expect(verdict == true)
        let peer = pair.takeTheirs()
        defer { close(peer) }
        var answer = [UInt8](repeating: 0, count: 1024)
        let count = recv(peer, &answer, answer.count, Int32(MSG_DONTWAIT))
        #expect(String(decoding: answer.prefix(max(0, count)), as: UTF8.self).hasPrefix("HTTP/1.1 404 "))
    }

    private func acceptor(_ descriptor: Int32, _ listener: Listener) -> Acceptor {
        Acceptor(
            descriptor: descriptor, listener: listener, tls: nil, census: ConnectionCensus(Limits()),
            reserve: DescriptorReserve(0, of: .max))
    }

    /// Who has connected before the listening socket is left finds it open; also more of them than are accepted in one
    /// turn.
    @Test(arguments: [3, 100]) func acceptsTheRemainingClients(count: Int) throws {
        let directory = try TemporaryDirectory()
        let listener = Listener(.unix(path: directory.file("socket")))
        let descriptor = try Socket.listen(listener, isShared: false)
        defer { close(descriptor) }
        let bench = try LoopBench()
        bench.loop.listen(acceptor(descriptor, listener))
        let clients = try (0..<count).map { _ in try PlainClient(try #require(SocketAddress(listener.address))) }
        bench.loop.acceptRemaining()
        bench.loop.stopListening()
        #expect(bench.gateway.counters.connections == count)
        #expect(bench.turn { true })
        for client in clients { #expect(client.readToEnd().isEmpty) }
    }

    /// A loop that ends leaves its socket at once: who comes later finds those of the other loops.
    @Test func closesItsOwnSocketAtOnce() throws {
        let listener = Listener(.tcp(host: "127.0.0.1", port: 0))
        let descriptors = try Socket.listen(listener, count: 2)
        defer { close(descriptors[1]) }
        let address = try #require(SocketAddress(localOf: descriptors[0]))
        let (ending, other) = (try LoopBench(), try LoopBench())
        ending.loop.listen(acceptor(descriptors[0], listener))
        other.loop.listen(acceptor(descriptors[1], listener))
        ending.loop.acceptRemaining(closing: [descriptors[0]])
        #expect(ending.loop.listeners.isEmpty)
        // The kernel would give about half of them to each socket.
        let clients = try (0..<32).map { _ in try PlainClient(address) }
        #expect(other.turn { other.gateway.counters.connections == clients.count })
        ending.loop.stop()
        ending.loop.run()
    }

    /// A socket that the poller has refused is not listened on: it is closed all the same.
    @Test func closesAnOwnSocketThatNobodyWatches() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("socket")
        let descriptor = try Socket.listen(Listener(.unix(path: path)), isShared: false)
        let address = try #require(SocketAddress(unixPath: path))
        let bench = try LoopBench()
        bench.loop.acceptRemaining(closing: [descriptor])
        #expect(bench.turn { true })
        #expect(throws: SocketFailure.self) { _ = try PlainClient(address) }
    }

    /// Who waits at a socket that stays open behind us is served by the next daemon.
    @Test func leavesTheClientsOfInheritedSockets() throws {
        let directory = try TemporaryDirectory()
        let listeners = ["own", "inherited"].map { Listener(.unix(path: directory.file($0))) }
        let descriptors = try listeners.map { try Socket.listen($0, isShared: false) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let bench = try LoopBench()
        for (descriptor, listener) in zip(descriptors, listeners) { bench.loop.listen(acceptor(descriptor, listener)) }
        let clients = try listeners.map { try PlainClient(try #require(SocketAddress($0.address))) }
        bench.loop.acceptRemaining(leaving: [descriptors[1]])
        bench.loop.stopListening()
        #expect(bench.gateway.counters.connections == 1)
        #expect(bench.turn { true })
        #expect(clients[0].readToEnd().isEmpty)
        var entry = pollfd(fd: descriptors[1], events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 0) == 1, "somebody has accepted the client")
    }

    /// Others may need a loop that has nothing in flight.
    @Test func drainingWaitsUntilTheLoopIsLetGo() throws {
        let bench = try LoopBench()
        var verdict: Bool?
        bench.loop.drain(until: MonotonicClock.now() + 3_600_000_000_000, isHeld: true) { verdict = $0 }
        var questions = 0
        _ = bench.turn {
            questions += 1
            if questions == 3 { bench.loop.letGo() }
            return false
        }
        #expect(verdict == true)
        #expect(questions >= 3)
    }

    /// It says once that its own clients need it no more.
    @Test func drainingSaysWhenTheLoopIsIdle() throws {
        let bench = try LoopBench()
        adopt(try SocketPair(.unix), by: bench)
        var (idle, questions) = (0, 0)
        bench.loop.drain(until: .max, isHeld: true, idle: { idle += 1 }, done: { _ in })
        #expect(
            bench.turn {
                questions += idle
                return questions == 5
            })
        #expect(idle == 1)
    }

    /// What is looked at from time to time makes no timer late.
    @Test func timersAreOnTimeWhileTheLoopDrains() throws {
        let bench = try LoopBench()
        let pair = try SocketPair(.unix)
        adopt(pair, by: bench)
        let begin = bench.gateway.now
        bench.loop.drain(until: begin + 3_600_000_000_000) { _ in }
        #expect(bench.loop.timeout() == 50)
        // 10 ms before the end of the time that a new connection has for its first request then.
        bench.gateway.advance(to: begin + ClientLink.firstRequestGrace - 10_000_000)
        #expect((1...12).contains(bench.loop.timeout()))
        bench.loop.stop()
        bench.loop.run()
    }

    /// Whatever the loop still has when it is stopped is closed.
    @Test func stoppingClosesEveryConnection() throws {
        let bench = try LoopBench()
        let pairs = try (0..<3).map { _ in try SocketPair(.tcp) }
        for pair in pairs { adopt(pair, by: bench, peer: .host) }
        #expect(bench.turn { true })
        for pair in pairs {
            let peer = pair.takeTheirs()
            var byte: UInt8 = 0
            #expect(recv(peer, &byte, 1, 0) == 0)
            close(peer)
        }
    }
}
