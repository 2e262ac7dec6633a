import Glibc
import SluiceContract
import SluiceSockets
import TestFiles
import Testing

@testable import SluiceGateway
@testable import SluiceIO

@Suite struct AcceptorTests {
    /// Connections to one listening socket, which goes with the value.
    private final class Clients {
        let listener: Listener
        let descriptor: Int32
        private let directory: TemporaryDirectory
        private var clients: [Int32] = []

        init(_ family: SocketPair.Family) throws {
            directory = try TemporaryDirectory()
            let address: Listener.Address =
                switch family {
                case .unix: .unix(path: directory.file("socket"))
                case .tcp: .tcp(host: "127.0.0.1", port: 0)
                }
            listener = Listener(address)
            descriptor = try Socket.listen(listener, isShared: false)
        }

        deinit {
            for client in clients where client >= 0 { close(client) }
            close(descriptor)
        }

        /// Has another client connect; the kernel takes it, whether it is accepted or not.
        func connect() throws {
            let address = try #require(SocketAddress(localOf: descriptor))
            let client = socket(
                address.family == .unix ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            clients.append(client)
            try #require(address.withSockAddr { Glibc.connect(client, $0, $1) } == 0)
        }

        func leave(_ index: Int) {
            close(clients[index])
            clients[index] = -1
        }

        /// Whether the gateway has closed the connection of one client.
        func isClosed(_ index: Int) -> Bool {
            var byte: UInt8 = 0
            let count = recv(clients[index], &byte, 1, Int32(MSG_DONTWAIT))
            return count == 0 || (count < 0 && errno == ECONNRESET)
        }

        func acceptor(_ census: ConnectionCensus, _ reserve: DescriptorReserve) -> Acceptor {
            Acceptor(descriptor: descriptor, listener: listener, tls: nil, census: census, reserve: reserve)
        }
    }

    private static let noReserve = DescriptorReserve(0, of: .max)

    private func census(_ edit: (inout Limits) -> Void = { _ in }) -> ConnectionCensus {
        var limits = Limits()
        edit(&limits)
        return ConnectionCensus(limits)
    }

    /// Also more of them than are accepted in one turn.
    @Test(arguments: SocketPair.Family.allCases, [1, 64, 65, 100])
    func clientsBecomeLinks(_ family: SocketPair.Family, _ count: Int) throws {
        let clients = try Clients(family)
        for _ in 0..<count { try clients.connect() }
        let bench = try LoopBench()
        bench.loop.listen(clients.acceptor(census(), Self.noReserve))
        #expect(bench.turn { bench.gateway.counters.connections == count })
        #expect(bench.said.all.isEmpty)
    }

    /// Who connects while the loop turns is accepted, until it stops listening.
    @Test func listeningEnds() throws {
        let (clients, others) = (try Clients(.tcp), try Clients(.unix))
        let bench = try LoopBench()
        bench.loop.listen(clients.acceptor(census(), Self.noReserve))
        try clients.connect()
        var isLeft = false
        let isOver = bench.turn {
            let connections = bench.gateway.counters.connections
            if connections == 1, !isLeft {
                isLeft = true
                bench.loop.stopListening()
                bench.loop.listen(others.acceptor(census(), Self.noReserve))
                // Both wait by now; one of them for nobody.
                #expect(throws: Never.self) {
                    try clients.connect()
                    try others.connect()
                    try others.connect()
                }
            }
            return connections == 3
        }
        #expect(isOver)
        var entry = pollfd(fd: clients.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 0) == 1, "somebody has accepted the client")
    }

    /// The next descriptor is one of the reserve: the client waits in the queue of the socket, which is said once.
    @Test func descriptorsAreShort() throws {
        let clients = try Clients(.unix)
        try clients.connect()
        let bench = try LoopBench()
        bench.loop.listen(clients.acceptor(census(), DescriptorReserve(0, of: 1)))
        var isShort = false
        let isOver = bench.turn {
            if !isShort, !bench.said.all.isEmpty {
                isShort = true
                #expect(bench.gateway.counters.connections == 0)
                bench.loop.stopListening()
                bench.loop.listen(clients.acceptor(census(), Self.noReserve))
            }
            return bench.gateway.counters.connections == 1
        }
        #expect(isOver)
        #expect(bench.said.all.count == 1)
        #expect(bench.said.all.first?.hasPrefix("no file descriptor is left") == true)
    }

    /// A socket that nobody may accept from does not keep the loop busy, and is listened on again after a moment.
    @Test func listeningGoesOnAfterAShortage() throws {
        let clients = try Clients(.unix)
        let bench = try LoopBench()
        bench.loop.listen(clients.acceptor(census(), Self.noReserve))
        bench.loop.descriptorsExhausted()
        try clients.connect()
        #expect(bench.turn { bench.gateway.counters.connections == 1 })
    }

    /// Who is one too many is turned away at once, and the place of one who leaves is free.
    @Test(arguments: [(1, 10, "there are "), (10, 1, "a client has ")])
    func placesAreLimited(connections: Int, perClient: Int, complaint: String) throws {
        let clients = try Clients(.unix)
        let bench = try LoopBench()
        let census = census {
            $0.connections = connections
            $0.connectionsPerClient = perClient
        }
        bench.loop.listen(clients.acceptor(census, Self.noReserve))
        try clients.connect()
        try clients.connect()
        var steps = [
            { clients.isClosed(1) && !clients.isClosed(0) && bench.gateway.counters.connections == 1 },
            { bench.gateway.counters.connections == 0 },
            { bench.gateway.counters.connections == 1 && !clients.isClosed(2) },
        ]
        let isOver = bench.turn {
            guard steps[0]() else { return false }
            steps.removeFirst()
            if steps.count == 2 { clients.leave(0) }
            if steps.count == 1 { #expect(throws: Never.self) { try clients.connect() } }
            return steps.isEmpty
        }
        #expect(isOver)
        #expect(bench.said.all.count == 1)
        #expect(bench.said.all.first?.hasPrefix(complaint) == true)
    }
}
