import Glibc
import SluiceContract
import SluiceSockets

@testable import SluiceIO

/// An upstream on a Unix socket that says the same to every request, one connection after the other.
final class ScriptedUpstream: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - body: nil says nothing, and keeps every connection.
    ///   - asked: called with each connection, which is dialled for a request that has come.
    init(_ path: String, says body: String?, asked: @escaping @Sendable () -> Void = {}) throws {
        descriptor = try Socket.listen(Listener(.unix(path: path)), isShared: false)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        let descriptor = descriptor
        ServiceThread.run("test-upstream") {
            var open = [descriptor]
            while true {
                let client = accept(descriptor, nil, nil)
                if client < 0 { break }
                _ = fcntl(client, F_SETFD, FD_CLOEXEC)
                asked()
                if let body {
                    Self.answer(client, body)
                    close(client)
                } else {
                    open.append(client)
                }
            }
            for descriptor in open { close(descriptor) }
        }
    }

    /// Ends the thread, which waits in accept(2).
    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func answer(_ client: Int32, _ body: String) {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(client, &byte, 1, 0) == 1 { head.append(byte) }
        let fields = "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n"
        let answer = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)".utf8)
        _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
}
