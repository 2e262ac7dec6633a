import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Owns a gateway as an event loop does, with a test in the place of sockets, clock and peers.
final class Bench {
    let gateway: Gateway
    private(set) var clients: [ClientPeer] = []
    /// Connections to upstreams, in the order in which they were dialled.
    private(set) var origins: [OriginPeer] = []
    /// Whether a connection that is dialled is there at once.
    var connectsAtOnce = true
    /// What origins over TLS choose where they are offered it (RFC 7301).
    var originsSpeakHTTP2 = false
    /// Origins keep what they read as it is: they speak HTTP/2.
    var recordsOrigins = false
    /// Once it is set, the bodies of messages are counted and not kept.
    var keepsBodies = true
    /// Told of what no gateway may ever do.
    var violation: (String) -> Void = { Issue.record("\($0)") }
    let vaults: [String: CredentialVault]
    private var isCarryingOut = false
    private var isTurning = false
    private var relieved: [Peer] = []

    convenience init(_ configuration: Configuration, tokens: [String: String] = [:]) throws {
        self.init(try RouteTable(configuration), tokens: tokens)
    }

    /// - Parameters:
    ///   - tokens: by upstream, and other secrets by theirs.
    ///   - cache: shared with the gateways of other benches.
    ///   - address: where those reach this one.
    init(
        _ table: RouteTable, tokens: [String: String] = [:], pageBytes: Int = InputPages.usualByteCount,
        cache: SharedCache? = nil, address: LoopAddress? = nil, credentials: [String: CredentialVault] = [:]
    ) {
        var vaults: [String: CredentialVault] = [:]
        for credential in table.configuration.shownCredentials {
            let vault = CredentialVault(credential.kind.presentation, of: credential.kind.source)
            let upstream = table.configuration.upstreams.first { $0.bearerName == credential.name }
            if let token = tokens[upstream?.name ?? credential.name] { vault.set(.init(Array(token.utf8))) }
            vaults[credential.name] = vault
        }
        for name in table.configuration.secrets.compactMap(\.vaultName) {
            let vault = CredentialVault()
            if let token = tokens[name] { vault.set(.init(Array(token.utf8))) }
            vaults[name] = vault
        }
        self.vaults = vaults.merging(credentials) { $1 }
        gateway = Gateway(
            table: table, vaults: self.vaults, now: 1_000_000_000, pageBytes: pageBytes, cache: cache, address: address)
        gateway.date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
        // Every exchange of every test is told of, as a log would: what an entry borrows has to be there, however the
        // exchange came to its end.
        gateway.accessLog = { entry in
            _ = [entry.method, entry.target, entry.referer, entry.userAgent].reduce(0) {
                $0 &+ $1.reduce(0) { $0 &+ Int($1) }
            }
        }
    }

    /// Every timer and every link lets go of the gateway before it goes.
    deinit {
        for peer in clients as [Peer] + origins where !peer.isClosed {
            peer.close()
            peer.link.failed(TransportFailure(.connectionReset, "The test is over"))
        }
        // Whoever waited for what has failed may ask for itself, and dial.
        var dialled: [Link] = []
        repeat {
            for link in dialled { link.failed(TransportFailure(.connectionReset, "The test is over")) }
            dialled = []
            gateway.takeTouched { link in
                if link.dialing != nil { dialled.append(link) }
                link.dialing = nil
            }
        } while !dialled.isEmpty
        gateway.end()
    }

    /// The only connection to an upstream so far.
    func origin(_ location: SourceLocation = #_sourceLocation) throws -> OriginPeer {
        try #require(origins.last, "nothing was dialled", sourceLocation: location)
    }

    /// The two origins of a request that has been sent, and is hedged after 50 ms.
    func hedged(_ location: SourceLocation = #_sourceLocation) throws -> (first: OriginPeer, second: OriginPeer) {
        let first = try origin(location)
        advance(by: .milliseconds(60))
        let second = try origin(location)
        try #require(first !== second, sourceLocation: location)
        return (first, second)
    }

    func client(
        address: String = "127.0.0.1", isTLS: Bool = false, credentials: PeerCredentials? = nil, grants: Grants? = nil,
        subjects: [CertificateName] = [], isHTTP2: Bool = false, admin: AdminAccess? = nil
    ) -> ClientPeer {
        let link = gateway.accepted(
            address: Array(address.utf8), isTLS: isTLS, credentials: credentials,
            access: ListenerAccess(grants: grants, admin: admin))
        let client = ClientPeer(link, self, reader: MessageReader(answersTo: []))
        client.reader.keepsBodies = keepsBodies
        clients.append(client)
        if !subjects.isEmpty { link.clientIdentified(subjects) }
        if isHTTP2 {
            client.recordsBytes = true
            link.http2Agreed()
            client.follow()
        }
        client.link.connected()
        turn()
        return client
    }

    /// Moves the clock and lets everything happen that follows, one deadline after the other.
    func advance(by duration: Duration) {
        let target = gateway.now + duration.nanosecondsClamped
        while let deadline = gateway.nextDeadline, deadline <= target {
            gateway.advance(to: deadline)
            turn()
        }
        gateway.advance(to: target)
        turn()
    }

    func replace(_ table: RouteTable) {
        gateway.replace(table: table, vaults: vaults)
        turn()
    }

    /// Connects, delivers and carries out until nothing moves.
    func turn() {
        carryOut()
        if isTurning { return }
        isTurning = true
        defer { isTurning = false }
        var moves = true
        while moves {
            moves = false
            if connectsAtOnce {
                for origin in origins where !origin.isConnected && !origin.isClosed {
                    origin.connect()
                    moves = true
                }
            }
            for peer in clients where peer.deliver() { moves = true }
            for peer in origins where peer.deliver() { moves = true }
            if gateway.hasPostponed {
                gateway.resumePostponed { carryOut() }
                moves = true
            }
        }
    }

    /// Does what the touched links want, and what that leads to.
    func carryOut() {
        if isCarryingOut { return }
        isCarryingOut = true
        defer { isCarryingOut = false }
        repeat {
            gateway.takeTouched { link in self.follow(link) }
            let ready = relieved
            relieved = []
            for peer in ready where !peer.isClosed { peer.link.drained() }
        } while gateway.hasTouched
    }

    private func follow(_ link: Link) {
        if let endpoint = link.dialing {
            link.dialing = nil
            let origin = OriginPeer(link, self, endpoint)
            origin.reader.keepsBodies = keepsBodies
            origin.recordsBytes = recordsOrigins
            origins.append(origin)
            return
        }
        if let peer = link.attachment as? Peer { flush(peer) }
    }

    /// Brings a connection in line with what its link wants.
    func flush(_ peer: Peer) {
        if peer.isClosed { return }
        let link = peer.link
        if link.ending == .aborted { return peer.gatewayEnded(isReset: true) }
        guard peer.isConnected else {
            if !link.outbox.isEmpty { violation("bytes for a connection that is not there yet") }
            if link.ending != .open { peer.gatewayEnded(isReset: false) }
            return
        }
        peer.flush()
        if link.wrote(leaving: link.outbox.count) { relieved.append(peer) }
        if link.outbox.isEmpty, link.ending != .open { peer.gatewayEnded(isReset: false) }
    }

    /// One request of a new client, and one answer to it where it reaches an origin.
    /// - Returns: what the client has read.
    @discardableResult
    func exchange(_ request: String, answer: String = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") throws
        -> Message
    {
        let client = client()
        client.request(request)
        if let origin = origins.last(where: { !$0.isClosed && $0.requests.last?.isHeadComplete == true }) {
            origin.send(answer)
        }
        defer { client.reset() }
        return try #require(client.answers.first, "no answer to \(request)")
    }

    /// `GET` of a target, by a new client.
    @discardableResult
    func get(_ target: String, _ fields: String..., answer: String? = nil) throws -> Message {
        let head = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
        if let answer { return try exchange(head, answer: answer) }
        return try exchange(head)
    }

    /// What origins have read last.
    func forwarded(_ location: SourceLocation = #_sourceLocation) throws -> Message {
        try #require(
            origins.last { !$0.requests.isEmpty }?.requests.last, "nothing was forwarded", sourceLocation: location)
    }

    /// What has to be true once all requests are over: nothing is open, leased or counted.
    func expectQuiet(_ location: SourceLocation = #_sourceLocation) {
        #expect(gateway.counters.exchangesOpen == 0, sourceLocation: location)
        #expect(gateway.counters.fillsOpen == 0, sourceLocation: location)
        let unsent = (clients as [Peer] + origins).reduce(0) { $0 + ($1.isClosed ? 0 : $1.link.outbox.count) }
        #expect(gateway.loop.room.waiting == unsent, sourceLocation: location)
        for endpoint in gateway.generation.upstreams.flatMap(\.endpoints) {
            #expect(endpoint.pool.count == endpoint.pool.idle.count, sourceLocation: location)
            #expect(endpoint.pool.waitingCount == 0, sourceLocation: location)
            #expect(endpoint.streams.streamCount == 0, sourceLocation: location)
            #expect(endpoint.streams.waitingCount == 0, sourceLocation: location)
        }
    }
}
