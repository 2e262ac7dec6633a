import Dispatch
import Glibc
import SluiceSockets
import Testing

@testable import SluiceIO

/// A token endpoint on a port of its own, which answers one request, once it may.
final class HeldTokenServer: Sendable {
    let port: Int
    private let descriptor: Int32
    private let gate = DispatchSemaphore(value: 0)
    private static let tokens = #"{"access_token":"a1","token_type":"Bearer","expires_in":600}"#

    /// - Parameter asked: called once the request is there.
    init(asked: @escaping @Sendable () -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let unset = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
        try #require(unset.withSockAddr { bind(listener, $0, $1) } == 0)
        try #require(listen(listener, 16) == 0)
        descriptor = listener
        port = try #require(SocketAddress(localOf: listener)?.port)
        let gate = gate
        ServiceThread.run("test-tokens") {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            var request: [UInt8] = []
            var byte: UInt8 = 0
            while !request.suffix(11).elementsEqual("grant_type=".utf8), recv(client, &byte, 1, 0) == 1 {
                request.append(byte)
            }
            asked()
            gate.wait()
            let fields = "Content-Type: application/json\r\nContent-Length: \(Self.tokens.utf8.count)\r\n"
            let answer = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\(Self.tokens)".utf8)
            _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
            // Closed with bytes unread, it would be reset, and the answer lost.
            shutdown(client, Int32(SHUT_WR))
            while recv(client, &byte, 1, 0) == 1 {}
            close(client)
        }
    }

    /// Ends the thread, where it waits in accept(2).
    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    func answer() { gate.signal() }
}
