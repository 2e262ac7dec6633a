import SluiceContract
import SluiceHTTP

@testable import SluiceIO

/// A client's and a server's session, connected in memory.
final class TLSPair {
    let client: TLSSession
    let server: TLSSession
    /// Bytes handed over at a time, in either direction.
    var chunk = Int.max
    /// Ciphertext that went each way.
    private(set) var sentByClient = 0
    private(set) var sentByServer = 0

    init(client: TLSSession, server: TLSSession) {
        self.client = client
        self.server = server
    }

    /// Connects to one name after the other.
    /// - Returns: for each, whether it resumed a session; nil where it came to nothing.
    static func resumptions(_ client: TLSContext, _ server: TLSContext, _ names: [String]) -> [Bool?] {
        names.map { name in
            let pair = TLSPair(
                client: TLSSession(client: client, serverName: name), server: TLSSession(server: server))
            guard pair.shake().client == .done else { return nil }
            // The tickets come after the handshake; the connection ends without a close_notify.
            var none: [UInt8] = []
            guard pair.client.readAll(appendingTo: &none) == .wantMore else { return nil }
            return pair.client.isResumed
        }
    }

    /// What both handshakes come to, once neither has anything more to say.
    func shake() -> (client: TLSSession.HandshakeResult, server: TLSSession.HandshakeResult) {
        while true {
            let results = (client.handshake(), server.handshake())
            let toServer = client.outgoing.takeAll()
            let toClient = server.outgoing.takeAll()
            sentByClient += toServer.count
            sentByServer += toClient.count
            if toServer.isEmpty && toClient.isEmpty { return results }
            deliver(toServer, to: server) { _ = $0.handshake() }
            deliver(toClient, to: client) { _ = $0.handshake() }
        }
    }

    /// Hands over what is waiting and reads all of it on the other side.
    func transfer(from sender: TLSSession, to receiver: TLSSession) -> (bytes: [UInt8], end: TLSSession.ReadResult) {
        var received: [UInt8] = []
        var end = TLSSession.ReadResult.wantMore
        deliver(sender.outgoing.takeAll(), to: receiver) { end = $0.readAll(appendingTo: &received) }
        return (received, end)
    }

    private func deliver(_ bytes: [UInt8], to session: TLSSession, then: (TLSSession) -> Void) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(chunk))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { bytes in
                session.receive(bytes)
                then(session)
                session.settle()
            }
        }
    }
}

extension TLSSession {
    func write(_ bytes: [UInt8]) -> WriteResult {
        bytes.withUnsafeBytes { write($0) }
    }

    /// Reads until there is no more, and says why.
    func readAll(appendingTo received: inout [UInt8], room: Int = 50_000) -> ReadResult {
        var buffer = [UInt8](repeating: 0, count: room)
        while true {
            let result = buffer.withUnsafeMutableBytes { read(into: $0) }
            guard case .bytes(let count) = result else { return result }
            received += buffer[..<count]
        }
    }
}

extension Outbox {
    /// Everything that waits.
    mutating func takeAll() -> [UInt8] {
        var bytes: [UInt8] = []
        while !isEmpty {
            bytes += firstRun
            consume(firstRun.count)
        }
        return bytes
    }
}
