import SluiceContract
import SluiceGateway
import Testing

@testable import SluiceIO

private let certificates = TestCertificates.shared

private func pair(
    client: Upstream.ClientTLS = certificates.client(), serverName: String = "localhost",
    server: Listener.ServerTLS = certificates.server(), offered: [String] = [], served: [String] = ["http/1.1"]
) throws -> TLSPair {
    TLSPair(
        client: TLSSession(client: try .client(client), serverName: serverName, alpn: offered),
        server: TLSSession(server: try .server(server, alpn: served)))
}

/// No byte twice in a row, so that a lost or doubled one shows.
private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) }
}

@Suite struct TLSSessionTests {
    @Test(arguments: ["localhost", "LOCALHOST", "fruit.example", "fruit.example.", "127.0.0.1", "::1"])
    func agreesWhereTheNameIsRight(serverName: String) throws {
        let pair = try pair(serverName: serverName)
        let results = pair.shake()
        #expect(results.client == .done)
        #expect(results.server == .done)
    }

    @Test(arguments: ["vegetable.example", "127.0.0.2", "::2", "localhost.example"])
    func refusesAnotherName(serverName: String) throws {
        let results = try pair(serverName: serverName).shake()
        guard case .failed(.certificate(let reason)) = results.client else {
            Issue.record("not refused: \(results.client)")
            return
        }
        #expect(reason.contains("mismatch: expected \(serverName)"))
        #expect(results.server == .failed(.refusedByPeer("bad certificate")))
    }

    @Test func theConfiguredNameWins() throws {
        var settings = certificates.client()
        settings.serverName = "fruit.example"
        #expect(try pair(client: settings, serverName: "10.0.0.1").shake().client == .done)
    }

    @Test(
        arguments: [
            ("expired", "ca", "certificate has expired"),
            ("server", "other-ca", "unable to get local issuer certificate"),
            ("ca", nil, "self-signed certificate"),
        ] as [(String, String?, String)])
    func refusesABadCertificate(server: String, ca: String?, reason: String) throws {
        let pair = try pair(client: certificates.client(ca: ca), server: certificates.server(server))
        #expect(pair.shake().client == .failed(.certificate(reason)))
        // A failure lasts.
        #expect(pair.client.handshake() == .failed(.certificate(reason)))
        #expect(pair.client.write([1]) == .failed(.certificate(reason)))
    }

    @Test func believesAnythingWhereVerifyIsOff() throws {
        var settings = Upstream.ClientTLS()
        settings.verify = false
        #expect(try pair(client: settings, serverName: "x.example").shake().client == .done)
    }

    @Test(
        arguments: [
            (["http/1.1"], ["http/1.1"], "http/1.1"),
            (["http/1.1", "h2"], ["h2", "http/1.1"], "h2"),
            ([], ["http/1.1"], nil),
        ] as [([String], [String], String?)])
    func agreesOnAProtocol(offered: [String], served: [String], expected: String?) throws {
        let pair = try pair(offered: offered, served: served)
        #expect(pair.shake().client == .done)
        #expect(pair.client.negotiatedProtocol == expected)
        #expect(pair.server.negotiatedProtocol == expected)
    }

    /// RFC 7301 §3.2.
    @Test func refusesWhereNoProtocolIsShared() throws {
        let results = try pair(offered: ["h2"]).shake()
        #expect(results.client == .failed(.refusedByPeer("no application protocol")))
    }

    @Test func mutualAuthentication() throws {
        let pair = try pair(
            client: certificates.client(identity: "client"), server: certificates.server(clientCA: "ca"))
        let results = pair.shake()
        #expect(results.client == .done)
        #expect(results.server == .done)
    }

    /// RFC 5280 §4.2.1.6: by TLS 1.3 and 1.2, in a new session and in one that is resumed; nobody else has names.
    @Test func namesOfTheClient() throws {
        let context = try TLSContext.client(certificates.client(identity: "client"), authorities: .init())
        let server = try TLSContext.server(certificates.server(clientCA: "ca"))
        for isResumed in [false, true] {
            let pair = TLSPair(
                client: TLSSession(client: context, serverName: "localhost"), server: TLSSession(server: server))
            #expect(pair.server.clientNames() == [])
            #expect(pair.shake().server == .done)
            #expect(pair.server.isResumed == isResumed)
            let names: [CertificateName] = [
                .init(.commonName, "client"), .init(.dns, "client.example"), .init(.email, "client@fruit.example"),
                .init(.uri, "spiffe://fruit.example/client"),
            ]
            #expect(pair.server.clientNames() == names)
            #expect(pair.client.clientNames() == [])
            // The tickets come after the handshake.
            var none: [UInt8] = []
            #expect(pair.client.readAll(appendingTo: &none) == .wantMore)
        }
        let bare = try pair(client: certificates.client(identity: "client"))
        #expect(bare.shake().server == .done)
        #expect(bare.server.clientNames() == [])
    }

    /// The server judges after the client is done (RFC 8446 §2): the client learns it from its first read.
    @Test(arguments: [(nil, "certificate required"), ("stranger", "unknown ca")] as [(String?, String)])
    func refusesAClient(identity: String?, alert: String) throws {
        let pair = try pair(
            client: certificates.client(identity: identity), server: certificates.server(clientCA: "ca"))
        let results = pair.shake()
        guard case .failed = results.server else {
            Issue.record("let in: \(results.server)")
            return
        }
        var received: [UInt8] = []
        #expect(pair.client.readAll(appendingTo: &received) == .failed(.refusedByPeer(alert)))
    }

    /// What the server says then is the end of the handshake: no reset, and nothing that a further try would change.
    @Test(
        arguments: [
            (
                TLSError.refusedByPeer("certificate required"), Problem.Kind.tlsFailure,
                "give the upstream one with 'tls: {"
            ),
            (.refusedByPeer("unknown ca"), .tlsFailure, "look at the certificate of the upstream's 'tls: {"),
            (.refusedByPeer("certificate revoked"), .tlsFailure, "look at the certificate"),
            (.refusedByPeer("handshake failure"), .tlsFailure, "refused by the peer: handshake failure"),
            (.brokenOffByPeer("internal error"), .connectionReset, "broken off by the peer: internal error"),
            (.truncated, .connectionReset, "without a close_notify"),
            (.tooManyMessages, .connectionReset, "too many TLS messages of the peer's, of which 32 may come without"),
            (.tooManyMessages, .connectionReset, "session tickets"),
            (.handshake("bad record type"), .connectionReset, "bad record type"),
        ])
    func whatComesAfterTheHandshake(error: TLSError, kind: Problem.Kind, detail: String) {
        let failure = TransportFailure(error)
        #expect(failure.kind == kind)
        #expect(failure.detail.contains(detail))
        #expect(kind.isRetryable == (kind == .connectionReset))
    }

    @Test func aServerThatSpeaksNoTLSMayCloseTheConnection() {
        let failure = TransportFailure(handshake: .truncated)
        #expect(failure.kind == .tlsFailure)
        #expect(failure.detail.contains("without a close_notify; is there TLS at that port?"))
        #expect(!TransportFailure(handshake: .handshake("bad record type")).detail.contains("port"))
    }

    /// RFC 8446 §6.2: an alert of the peer's, in a record of its own.
    @Test(
        arguments: [
            (10, "unexpected message", false), (20, "bad record mac", false), (21, "decryption failed", false),
            (22, "record overflow", false), (40, "handshake failure", true), (42, "bad certificate", true),
            (43, "unsupported certificate", true), (44, "certificate revoked", true), (45, "certificate expired", true),
            (46, "certificate unknown", true), (47, "illegal parameter", true), (48, "unknown ca", true),
            (49, "access denied", true), (50, "decode error", true), (51, "decrypt error", true),
            (70, "protocol version", true), (71, "insufficient security", true), (80, "internal error", false),
            (109, "missing extension", true), (115, "unknown psk identity", true), (116, "certificate required", true),
            (120, "no application protocol", true),
        ])
    func alerts(number: UInt8, text: String, isRefusal: Bool) throws {
        let session = try pair().client
        _ = session.handshake()
        ([21, 3, 3, 0, 2, 2, number] as [UInt8]).withUnsafeBytes { session.receive($0) }
        let error: TLSError = isRefusal ? .refusedByPeer(text) : .brokenOffByPeer(text)
        #expect(session.handshake() == .failed(error))
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 1000])
    func handshakeInPieces(chunk: Int) throws {
        let pair = try pair(offered: ["http/1.1"])
        pair.chunk = chunk
        let results = pair.shake()
        #expect(results.client == .done)
        #expect(results.server == .done)
        #expect(pair.client.write(bytes(3000)) == .bytes(3000))
        let read = pair.transfer(from: pair.client, to: pair.server)
        #expect(read.bytes == bytes(3000))
        #expect(read.end == .wantMore)
    }

    /// The server's first flight cut in two, at every byte.
    @Test func handshakeSplitAtEveryByte() throws {
        let context = try TLSContext.client(certificates.client())
        let server = try TLSContext.server(certificates.server())
        var split = 1
        var length = Int.max
        while split < length {
            let pair = TLSPair(
                client: TLSSession(client: context, serverName: "localhost"), server: TLSSession(server: server))
            _ = pair.client.handshake()
            let hello = pair.client.outgoing.takeAll()
            hello.withUnsafeBytes { bytes in
                pair.server.receive(bytes)
                _ = pair.server.handshake()
                pair.server.settle()
            }
            let flight = pair.server.outgoing.takeAll()
            length = flight.count
            // Signatures, and so flights, are not always of one length.
            for part in [flight.prefix(split), flight.dropFirst(split)] {
                part.withUnsafeBytes { bytes in
                    pair.client.receive(bytes)
                    _ = pair.client.handshake()
                    pair.client.settle()
                }
            }
            let results = pair.shake()
            #expect(results.client == .done, "cut at \(split)")
            #expect(results.server == .done, "cut at \(split)")
            split += 1
        }
    }

    @Test(arguments: [Int.max, 16_384, 1_009])
    func megabytesBothWays(chunk: Int) throws {
        let pair = try pair()
        _ = pair.shake()
        pair.chunk = chunk
        let payload = bytes(3_000_000)
        for (sender, receiver) in [(pair.client, pair.server), (pair.server, pair.client)] {
            #expect(sender.write(payload) == .bytes(payload.count))
            let read = pair.transfer(from: sender, to: receiver)
            #expect(read.bytes == payload)
            #expect(receiver.pendingInput == 0)
        }
    }

    /// A reader that stops half way loses nothing when the loop's buffer is reused.
    @Test func aPausedReaderGoesOn() throws {
        let pair = try pair()
        _ = pair.shake()
        _ = pair.transfer(from: pair.server, to: pair.client)
        let payload = bytes(100_000)
        _ = pair.server.write(payload)
        var received = [UInt8](repeating: 0, count: 10)
        var ciphertext = pair.server.outgoing.takeAll()
        ciphertext.withUnsafeMutableBytes { bytes in
            pair.client.receive(UnsafeRawBufferPointer(bytes))
            #expect(received.withUnsafeMutableBytes { pair.client.read(into: $0) } == .bytes(10))
            pair.client.settle()
            bytes.initializeMemory(as: UInt8.self, repeating: 0xFF)
        }
        #expect(pair.client.pendingInput > 0)
        #expect(pair.client.readAll(appendingTo: &received, room: 777) == .wantMore)
        #expect(received == payload)
    }

    @Test func aCleanEndIsTold() throws {
        let pair = try pair()
        _ = pair.shake()
        _ = pair.server.write(bytes(10))
        pair.server.shutdown()
        let read = pair.transfer(from: pair.server, to: pair.client)
        #expect(read.bytes == bytes(10))
        #expect(read.end == .closed)
        // The other direction stays open.
        #expect(pair.client.write(bytes(5)) == .bytes(5))
        #expect(pair.transfer(from: pair.client, to: pair.server).bytes == bytes(5))
    }

    /// RFC 8446 §6.1: an end without close_notify may be an attacker's.
    @Test func truncationIsNoEnd() throws {
        let pair = try pair()
        _ = pair.shake()
        _ = pair.server.write(bytes(10))
        var received = pair.transfer(from: pair.server, to: pair.client).bytes
        pair.client.receiveEnd()
        #expect(pair.client.readAll(appendingTo: &received) == .failed(.truncated))
        #expect(received == bytes(10))
    }

    @Test func anEndInTheHandshakeIsAFailure() throws {
        let pair = try pair()
        _ = pair.client.handshake()
        pair.client.receiveEnd()
        #expect(pair.client.handshake() == .failed(.truncated))
    }

    @Test func aChangedRecordIsRefused() throws {
        let pair = try pair()
        _ = pair.shake()
        _ = pair.transfer(from: pair.server, to: pair.client)
        _ = pair.server.write(bytes(100))
        var ciphertext = pair.server.outgoing.takeAll()
        ciphertext[50] ^= 1
        var received: [UInt8] = []
        ciphertext.withUnsafeBytes { pair.client.receive($0) }
        guard case .failed(.handshake) = pair.client.readAll(appendingTo: &received) else {
            Issue.record("read \(received)")
            return
        }
        #expect(received.isEmpty)
    }

    @Test func plainHTTPIsNamed() throws {
        let pair = try pair()
        _ = pair.client.handshake()
        let answer = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
        let request = Array("GET / HTTP/1.1\r\n\r\n".utf8)
        answer.withUnsafeBytes { pair.client.receive($0) }
        request.withUnsafeBytes { pair.server.receive($0) }
        #expect(pair.client.handshake() == .failed(.handshake("the peer does not speak TLS (wrong version number)")))
        #expect(pair.server.handshake() == .failed(.handshake("a plain HTTP request came to a TLS port")))
    }

    @Test func writingWaitsForTheHandshake() throws {
        #expect(try pair().client.write([1]) == .notYet)
    }

    @Test func noServerNameForLiterals() throws {
        for (name, isSent) in [("localhost", true), ("127.0.0.1", false)] {
            let client = try pair(serverName: name).client
            _ = client.handshake()
            let hello = String(decoding: client.outgoing.takeAll(), as: Unicode.ASCII.self)
            #expect(hello.contains(name) == isSent)
        }
    }
}
