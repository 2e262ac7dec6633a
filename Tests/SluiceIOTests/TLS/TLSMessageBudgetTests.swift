import COpenSSL
import SluiceContract
import Testing

@testable import SluiceIO

/// Messages of the handshake protocol that come when the handshake is done.
@Suite struct TLSMessageBudgetTests {
    /// Two sessions that have shaken hands and read the two tickets of TLS 1.3.
    private static func pair(versionMax: Int32 = TLS1_3_VERSION) throws -> TLSPair {
        let certificates = TestCertificates.shared
        let server = try TLSContext.server(certificates.server())
        SSL_CTX_ctrl(server.handle, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(versionMax), nil)
        let pair = TLSPair(
            client: TLSSession(client: try .client(certificates.client()), serverName: "localhost"),
            server: TLSSession(server: server))
        #expect(pair.shake().client == .done)
        var none: [UInt8] = []
        #expect(pair.client.readAll(appendingTo: &none) == .wantMore)
        return pair
    }

    /// What a client may still send, and a server beside its tickets.
    private static func messagesMax(ofClient: Bool) -> Int { TLSMessageBudget.messagesMax - (ofClient ? 0 : 2) }

    /// RFC 8446 §4.6.3: a peer may ask for new keys, with an answer to each, and not for ever.
    @Test(arguments: [true, false])
    func keyUpdatesWithoutContent(ofClient: Bool) throws {
        let pair = try Self.pair()
        let peer = ofClient ? pair.client : pair.server
        let session = ofClient ? pair.server : pair.client
        for _ in 0..<Self.messagesMax(ofClient: ofClient) { #expect(peer.updateKeys()) }
        #expect(pair.transfer(from: peer, to: session).end == .wantMore)
        for _ in 0..<1000 { #expect(peer.updateKeys()) }
        let answered = session.outgoing.count
        #expect(pair.transfer(from: peer, to: session).end == .failed(.tooManyMessages))
        // The first one was the last: nobody went through the rest.
        #expect(session.pendingInput > 20_000)
        #expect(session.outgoing.count - answered < 100)
        // A failure lasts.
        #expect(session.write([1]) == .failed(.tooManyMessages))
    }

    /// What came in front of too many messages is good, and what comes behind them is not read.
    @Test func contentBeforeTooManyMessages() throws {
        let pair = try Self.pair()
        #expect(pair.client.write([1, 2, 3]) == .bytes(3))
        for _ in 0...TLSMessageBudget.messagesMax { #expect(pair.client.updateKeys()) }
        #expect(pair.client.write([4]) == .bytes(1))
        let read = pair.transfer(from: pair.client, to: pair.server)
        #expect(read.bytes == [1, 2, 3])
        #expect(read.end == .failed(.tooManyMessages))
    }

    /// New keys now and then, in a long transfer to the peer that asks for them, or from it.
    @Test(arguments: [true, false], [true, false])
    func keyUpdatesWithContent(ofClient: Bool, isDownload: Bool) throws {
        let pair = try Self.pair()
        let peer = ofClient ? pair.client : pair.server
        let session = ofClient ? pair.server : pair.client
        let piece = [UInt8](repeating: 7, count: 50_000)
        for _ in 0..<200 {
            let sender = isDownload ? session : peer
            let receiver = isDownload ? peer : session
            #expect(sender.write(piece) == .bytes(piece.count))
            #expect(pair.transfer(from: sender, to: receiver).bytes.count == piece.count)
            #expect(peer.updateKeys())
            #expect(pair.transfer(from: peer, to: session).end == .wantMore)
            #expect(pair.transfer(from: session, to: peer).end == .wantMore)
        }
    }

    /// A peer that takes none of the answers comes to an end, whatever content it sends between its messages.
    @Test(arguments: [true, false])
    func answersThatWait(areTaken: Bool) throws {
        let pair = try Self.pair()
        var rounds = 0
        var end = TLSSession.ReadResult.wantMore
        while end == .wantMore, rounds < 1000 {
            rounds += 1
            #expect(pair.client.updateKeys())
            #expect(pair.client.write([1]) == .bytes(1))
            end = pair.transfer(from: pair.client, to: pair.server).end
            if areTaken { #expect(pair.transfer(from: pair.server, to: pair.client).end == .wantMore) }
        }
        #expect(end == (areTaken ? .wantMore : .failed(.tooManyMessages)))
        #expect(areTaken || rounds <= 2 * TLSMessageBudget.messagesMax)
        #expect(pair.server.outgoing.count < 4096)
    }

    /// RFC 8446 §4.6.1: a server sends tickets when and as it likes.
    @Test(arguments: [(1, true), (30, true), (31, false), (500, false)])
    func tickets(count: Int, isFine: Bool) throws {
        let pair = try Self.pair()
        for _ in 0..<count { #expect(pair.server.sendTicket()) }
        #expect(pair.server.write([1]) == .bytes(1))
        let read = pair.transfer(from: pair.server, to: pair.client)
        let content: [UInt8] = isFine ? [1] : []
        #expect(read.bytes == content)
        #expect(read.end == (isFine ? .wantMore : .failed(.tooManyMessages)))
    }

    /// A ticket with each answer is nothing that adds up.
    @Test func aTicketWithEachAnswer() throws {
        let pair = try Self.pair()
        for _ in 0..<200 {
            #expect(pair.server.sendTicket())
            #expect(pair.server.write([1]) == .bytes(1))
            #expect(pair.transfer(from: pair.server, to: pair.client).bytes == [1])
        }
    }

    /// RFC 5246 §7.4.1.1: a server may ask for another handshake and is told no, some of the times.
    @Test(arguments: [(32, true), (33, false), (1000, false)])
    func requestsForAnotherHandshake(count: Int, isFine: Bool) throws {
        let pair = try Self.pair(versionMax: TLS1_2_VERSION)
        // SSL_OP_NO_RENEGOTIATION, a macro that Swift does not see.
        SSL_clear_options(pair.server.ssl, 1 << 30)
        for _ in 0..<count {
            #expect(SSL_renegotiate(pair.server.ssl) == 1)
            #expect(SSL_do_handshake(pair.server.ssl) == 1)
        }
        let end = pair.transfer(from: pair.server, to: pair.client).end
        #expect(end == (isFine ? .wantMore : .failed(.tooManyMessages)))
        #expect(pair.client.outgoing.count < 4096)
    }
}

extension TLSSession {
    /// Takes new keys and asks the peer for the same.
    fileprivate func updateKeys() -> Bool {
        SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 && SSL_do_handshake(ssl) == 1
    }

    /// Sends another ticket of TLS 1.3.
    fileprivate func sendTicket() -> Bool {
        SSL_new_session_ticket(ssl) == 1 && SSL_do_handshake(ssl) == 1
    }
}
