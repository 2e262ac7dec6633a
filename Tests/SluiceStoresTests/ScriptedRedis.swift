import Foundation
import Synchronization

@testable import SluiceStores

/// A server of the Redis kind that answers what the test says, when it says so.
final class ScriptedRedis: Sendable {
    let port: Int
    private let listener: Int32
    private let connections = Mutex<[Int32]>([])
    private let heard = Mutex<[[String]]>([])
    private let answer: @Sendable ([String]) -> String?

    /// - Parameter answer: the reply to a command; nil where there is none to come.
    init(_ answer: @escaping @Sendable ([String]) -> String?) throws {
        self.answer = answer
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = length
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, count) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isOpen else { throw StoreFailure("no socket") }
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0 { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                connections.withLock { $0.append(connection) }
                Thread.detachNewThread { [self] in serve(connection) }
            }
        }
    }

    /// What a server says that has invalidations and no records, and keeps none.
    static func empty(_ command: [String]) -> String {
        switch (command[0], command.count > 1 ? command[1] : "") {
        case ("PING", _): "+PONG\r\n"
        case ("GETRANGE", "sluice:2:number"): "$1\r\n1\r\n"
        case ("GETRANGE", "sluice:2:marks"): "$8\r\nan era..\r\n"
        case ("GETRANGE", _): "$0\r\n\r\n"
        default: "+OK\r\n"
        }
    }

    /// Of all connections, in the order in which they came.
    var commands: [[String]] { heard.withLock { $0 } }

    /// Closes everything.
    func end() {
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in connections.withLock({ $0 }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private func serve(_ connection: Int32) {
        guard let stream = fdopen(connection, "r") else { return }
        while let command = Self.command(stream) {
            heard.withLock { $0.append(command) }
            guard let reply = answer(command) else { continue }
            let bytes = Array(reply.utf8)
            if send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 { return }
        }
    }

    /// An array of texts (RESP2); nil at the end.
    private static func command(_ stream: UnsafeMutablePointer<FILE>) -> [String]? {
        guard let count = number(stream) else { return nil }
        var words: [String] = []
        for _ in 0..<count {
            guard let length = number(stream) else { return nil }
            var bytes = [UInt8](repeating: 0, count: length + 2)
            let whole = bytes.count
            guard fread(&bytes, 1, whole, stream) == whole else { return nil }
            words.append(String(decoding: bytes.dropLast(2), as: UTF8.self))
        }
        return words
    }

    /// That of a line such as `*3` or `$12`.
    private static func number(_ stream: UnsafeMutablePointer<FILE>) -> Int? {
        var value = 0
        while true {
            let byte = fgetc(stream)
            if byte == EOF { return nil }
            if byte == 0x0a { return value }
            if (0x30...0x39).contains(byte) { value = value * 10 + Int(byte) - 0x30 }
        }
    }
}
