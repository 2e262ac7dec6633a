import Glibc
import SluiceContract
import SluiceSockets
import Testing

@testable import SluiceIO

/// A client that waits for its answer, but for ten seconds at most.
final class PlainClient {
    private let descriptor: Int32

    init(_ address: SocketAddress) throws {
        descriptor = socket(
            address.family == .unix ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard address.withSockAddr({ connect(descriptor, $0, $1) }) == 0 else { throw SocketFailure() }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
    }

    /// What comes up to the first `end`, and with it; less where the other side closes before.
    func read(until end: String) -> String {
        var all: [UInt8] = []
        var byte: UInt8 = 0
        while !all.suffix(end.utf8.count).elementsEqual(end.utf8), recv(descriptor, &byte, 1, 0) == 1 {
            all.append(byte)
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// All that comes until the other side closes.
    func readToEnd() -> String {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return String(decoding: all, as: UTF8.self) }
            all += piece[..<count]
        }
    }

    /// The last line of the answer to one request on a connection of its own: a body of one line.
    static func get(_ target: String, from address: SocketAddress) throws -> String {
        let client = try PlainClient(address)
        client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return String(client.readToEnd().split(separator: "\r\n", omittingEmptySubsequences: false).last ?? "")
    }
}
