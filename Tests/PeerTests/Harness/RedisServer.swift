import Foundation

/// Debian's redis-server on a free port, which may be stopped, frozen and started anew.
final class RedisServer: @unchecked Sendable {
    let port: UInt16
    private let password: String
    private let folder: TemporaryFolder
    private var process: ChildProcess

    init(password: String = "swordfish") throws {
        folder = try TemporaryFolder()
        port = try LoopbackAddress.freePort()
        self.password = password
        process = try Self.start(port, password, folder)
    }

    private static func start(_ port: UInt16, _ password: String, _ folder: TemporaryFolder) throws -> ChildProcess {
        let process = try ChildProcess([
            try Peers.redis(), "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
            folder.path, "--requirepass", password,
        ])
        try process.waitUntilListening(on: port)
        return process
    }

    var url: String { "redis://:\(password)@127.0.0.1:\(port)/0" }

    func end() { process.end() }
    func freeze() throws { try process.freeze() }
    func thaw() { process.signal(SIGCONT) }
    func restart() throws { process = try Self.start(port, password, folder) }

    /// Sends commands, one a line, and gives back the lines of the replies.
    @discardableResult
    func tell(_ commands: String...) throws -> [String] {
        let connection = try Connection(port: port)
        connection.send("AUTH \(password)\r\n" + commands.map { $0 + "\r\n" }.joined() + "PING\r\n")
        var bytes: [UInt8] = []
        while bytes.firstRange(of: Array("+PONG\r\n".utf8)) == nil, case .bytes(let more) = connection.receive() {
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    }

    /// What Sluice keeps in it.
    func keys() throws -> [String] { try tell("KEYS *").filter { $0.hasPrefix("sluice:") } }
}
