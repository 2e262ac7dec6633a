import Dispatch
import Glibc
import SluiceContract
import SluiceSockets
import Testing

@testable import SluiceGateway
@testable import SluiceIO

/// What a transport reads of its socket, where the kernel tells of it once (epoll(7), EPOLLET).
@Suite struct TransportTests {
    private static let pageBytes = 4096

    enum End: CaseIterable, Sendable { case halfClose, close }

    /// A loop with one connection turns until `isDone`, or until it is clear that it never will be.
    private static func run(
        _ pair: SocketPair, _ family: SocketPair.Family, until isDone: @escaping (NotingLink) -> Bool,
        afterFact: @escaping (NotingLink, Mailbox) -> Void = { _, _ in }
    ) throws -> NotingLink {
        try run(pair, family == .unix ? .unixSocket : .host, pageBytes, until: isDone, afterFact: afterFact).link
    }

    private static func run(
        _ pair: SocketPair, _ peer: Transport.Peer, _ pageBytes: Int, isAccepted: Bool = false,
        until isDone: @escaping (NotingLink) -> Bool, afterFact: @escaping (NotingLink, Mailbox) -> Void
    ) throws -> (link: NotingLink, transport: Transport) {
        let gateway = Gateway(
            table: try RouteTable(Configuration()), vaults: [:], now: MonotonicClock.now(), pageBytes: pageBytes)
        let mailbox = Mailbox()
        let loop = EventLoop(
            gateway: gateway, mailbox: mailbox, dialing: DialingServices(resolver: Resolver()))
        let link = NotingLink(gateway)
        let transport = Transport(
            descriptor: pair.ours, registration: loop.nextRegistrationNumber(), link: link, tls: nil,
            peer: peer)
        if isAccepted {
            transport.place = ConnectionCensus(Limits()).enter(ClientIdentity(address: [], credentials: nil))
        }
        link.afterFact = { link in
            afterFact(link, mailbox)
            if isDone(link) || link.failure != nil { mailbox.post { $0.stop() } }
        }
        #expect(loop.adopt(transport, isRegistered: false))
        let watchdog = DispatchWorkItem { mailbox.post { $0.stop() } }
        DispatchQueue.global().asyncAfter(deadline: .now() + 10, execute: watchdog)
        loop.run()
        watchdog.cancel()
        link.afterFact = { _ in }
        return (link, transport)
    }

    private static func document(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }
    }

    /// Nothing is lost in front of the end, and the end is seen, though the kernel tells of both at once.
    @Test(arguments: SocketPair.Family.allCases, End.allCases)
    func anEndBehindUnreadBytes(_ family: SocketPair.Family, _ end: End) throws {
        for count in [0, 1, 4095, 4096, 4097, 12_288, 60_000] {
            let pair = try SocketPair(family)
            let document = Self.document(count)
            #expect(pair.send(document))
            if end == .close { pair.end() } else { pair.halfClose() }
            let link = try Self.run(pair, family, until: \.hasEnded)
            #expect(link.bytes == document, "\(count) bytes")
            // That the connection is gone is told afterwards, where it is.
            #expect(link.hasEnded, "\(count) bytes: \(String(describing: link.failure))")
        }
    }

    /// The end comes while nobody reads, because what was read before is not wanted yet.
    @Test(arguments: SocketPair.Family.allCases, End.allCases)
    func anEndWhileNobodyReads(_ family: SocketPair.Family, _ end: End) throws {
        for count in [1, 4096, 60_000] {
            let pair = try SocketPair(family)
            let rest = Self.document(count)
            #expect(pair.send([1]))
            let peer = pair.takeTheirs()
            defer { if end == .halfClose { close(peer) } }
            var isHeld = false
            let link = try Self.run(pair, family, until: \.hasEnded) { link, mailbox in
                if isHeld { return }
                isHeld = true
                link.wantsRead = false
                link.touch()
                let held = LoopConfined(link)
                mailbox.post { Self.finish(peer, rest, end, $0, held) }
            }
            #expect(link.bytes == [1] + rest, "\(count) bytes")
            // That the connection is gone is told afterwards, where it is.
            #expect(link.hasEnded, "\(count) bytes: \(String(describing: link.failure))")
        }
    }

    /// Sends the rest and the end, and has it read later.
    private static func finish(
        _ peer: Int32, _ rest: [UInt8], _ end: End, _ loop: EventLoop, _ link: LoopConfined<NotingLink>
    ) {
        #expect(send(peer, rest, rest.count, Int32(MSG_NOSIGNAL)) == rest.count)
        if end == .close { close(peer) } else { shutdown(peer, Int32(SHUT_WR)) }
        // The loop has heard of it in the turn after this one.
        loop.mailbox.post {
            $0.mailbox.post { loop in
                link.value.wantsRead = true
                link.value.touch()
                loop.carryOut()
            }
        }
    }

    /// A peer that resets its connection is gone, and has not ended its stream, whoever hears of it first: the error is
    /// told once. Of a client whose input is not read at present, nothing else would tell.
    @Test(arguments: [(isAccepted: true, isRead: false), (false, true)])
    func aResetIsToldByAWrite(_ peer: (isAccepted: Bool, isRead: Bool)) throws {
        let pair = try SocketPair(.tcp)
        #expect(pair.send([1]))
        let (isAccepted, isRead, peer) = (peer.isAccepted, peer.isRead, pair.takeTheirs())
        var isHeld = false
        let (link, _) = try Self.run(pair, .host, Self.pageBytes, isAccepted: isAccepted, until: \.hasEnded) {
            link, mailbox in
            if isHeld { return }
            isHeld = true
            link.wantsRead = isRead
            link.touch()
            var reset = linger(l_onoff: 1, l_linger: 0)
            setsockopt(peer, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
            close(peer)
            let held = LoopConfined(link)
            mailbox.post { loop in
                held.value.outbox.append([2])
                held.value.touch()
                loop.carryOut()
            }
        }
        #expect(link.failure?.kind == .connectionReset && !link.hasEnded)
    }

    /// What came with a descriptor ends a read, whatever stands behind it, and no event tells of the rest.
    @Test func bytesBehindDescriptors() throws {
        let pair = try SocketPair(.unix)
        #expect(pair.send([1, 2]))
        #expect(pair.send([3], with: 1))
        #expect(pair.send([4, 5], with: 2))
        #expect(pair.send([6]))
        let link = try Self.run(pair, .unix, until: { $0.bytes.count == 6 })
        #expect(link.bytes == [1, 2, 3, 4, 5, 6])
        #expect(link.failure == nil)
        pair.end()
    }

    /// Only a peer on this host gets a wide window, and only where what it sends is taken at once.
    @Test(arguments: [
        (Transport.Peer.host, true, true), (.host, false, false), (.network, true, false), (.unixSocket, true, false),
    ])
    func wideWindows(_ peer: Transport.Peer, isTaken: Bool, isWide: Bool) throws {
        let count = 512 << 10
        let pair = try SocketPair(.tcp)
        // All of it waits to be read, so that the first read is a long one.
        Socket.widenWindow(pair.ours)
        #expect(pair.send(Self.document(count)))
        let (link, transport) = try Self.run(pair, peer, 256 << 10, until: { !isTaken || $0.bytes.count == count }) {
            link, _ in
            link.wantsRead = isTaken
            link.touch()
        }
        #expect(link.bytes.count == (isTaken ? count : 256 << 10))
        #expect(transport.hasWideWindow == isWide)
    }
}
