import Synchronization
import Testing

@testable import SluiceIO

@Suite struct TLSTicketKeysTests {
    private final class Clock: Sendable {
        let now = Mutex<UInt64>(1)
        func advance(seconds: UInt64) { now.withLock { $0 += seconds * 1_000_000_000 } }
    }

    /// RFC 5077 §4: a key locks for one period, unlocks for one more, and is gone.
    @Test(
        arguments: [
            (0, true), (UInt64(TLSContext.resumptionSeconds) - 1, true), (UInt64(TLSContext.resumptionSeconds), true),
            (2 * UInt64(TLSContext.resumptionSeconds), false), (9 * UInt64(TLSContext.resumptionSeconds), false),
        ])
    func anOldTicketIsWorthless(seconds: UInt64, isResumed: Bool) throws {
        let certificates = TestCertificates.shared
        let clock = Clock()
        let client = try TLSContext.client(certificates.client())
        let server = try TLSContext.server(certificates.server(), alpn: []) { clock.now.withLock { $0 } }
        let first = connect(client, server)
        #expect(!first.isResumed)
        clock.advance(seconds: seconds)
        #expect(connect(client, server).isResumed == isResumed)
    }

    /// Two periods apart by two steps: the key of the first is gone though somebody was there in between.
    @Test func aKeyIsReplacedTwice() throws {
        let certificates = TestCertificates.shared
        let clock = Clock()
        let client = try TLSContext.client(certificates.client())
        let bystander = try TLSContext.client(certificates.client())
        let server = try TLSContext.server(certificates.server(), alpn: []) { clock.now.withLock { $0 } }
        _ = connect(client, server)
        for _ in 0..<2 {
            clock.advance(seconds: UInt64(TLSContext.resumptionSeconds))
            _ = connect(bystander, server)
        }
        #expect(!connect(client, server).isResumed)
    }

    private func connect(_ client: TLSContext, _ server: TLSContext) -> TLSSession {
        let pair = TLSPair(
            client: TLSSession(client: client, serverName: "localhost"), server: TLSSession(server: server))
        #expect(pair.shake().client == .done)
        // The tickets come after the handshake.
        var none: [UInt8] = []
        #expect(pair.client.readAll(appendingTo: &none) == .wantMore)
        return pair.client
    }
}
