import Foundation

/// Debian's redis-server on a free port, which may be stopped, frozen and started anew.
final class RedisServer: @unchecked Sendable {
    let port: UInt16
    private let password: String
    /// What it speaks TLS with, on a port of its own.
    private let tls: TLS?
    private let folder: TemporaryFolder
    private var process: ChildProcess

    struct TLS {
        let port: UInt16
        let identity: CertificateAuthority.Identity
        /// Whether clients have to show a certificate of the same authority.
        let asksForCertificate: Bool
    }

    init(password: String = "swordfish", tls: TLS? = nil) throws {
        folder = try TemporaryFolder()
        port = try LoopbackAddress.freePort()
        self.password = password
        self.tls = tls
        process = try Self.start(port, password, tls, folder)
    }

    private static func start(
        _ port: UInt16, _ password: String, _ tls: TLS?, _ folder: TemporaryFolder
    ) throws -> ChildProcess {
        var command = [
            try Peers.redis(), "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
            folder.path, "--requirepass", password,
        ]
        if let tls {
            command += [
                "--tls-port", "\(tls.port)", "--tls-cert-file", tls.identity.certificate, "--tls-key-file",
                tls.identity.key, "--tls-ca-cert-file", try CertificateAuthority.shared.get().path,
                "--tls-auth-clients", tls.asksForCertificate ? "yes" : "no",
            ]
        }
        let process = try ChildProcess(command)
        try process.waitUntilListening(on: tls?.port ?? port)
        return process
    }

    /// Its address with TLS, by name.
    var secureURL: String { "rediss://:\(password)@localhost:\(tls?.port ?? 0)/0" }

    var url: String { "redis://:\(password)@127.0.0.1:\(port)/0" }

    func end() { process.end() }
    func freeze() throws { try process.freeze() }
    func thaw() { process.signal(SIGCONT) }
    func restart() throws { process = try Self.start(port, password, tls, folder) }

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

    /// All that is in it, as it would stand on disk.
    func content() throws -> String {
        let reply = try tell("CONFIG SET rdbcompression no", "SAVE")
        guard reply.filter({ $0 == "+OK" }).count == 3 else { throw HarnessError("not saved: \(reply)") }
        let bytes = FileManager.default.contents(atPath: folder.file("dump.rdb")) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What Sluice keeps in it.
    func keys() throws -> [String] { try tell("KEYS *").filter { $0.hasPrefix("sluice:") } }
}
