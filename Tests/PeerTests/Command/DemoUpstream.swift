import Foundation

/// `sluice demo-upstream` on a free port, and the configuration that ships for it.
final class DemoUpstream: Sendable {
    let process: ChildProcess
    let port: UInt16
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let process = try ChildProcess([Daemon.binary, "demo-upstream", "--listen", "127.0.0.1:0"])
        self.process = process
        port = try Poll.until("the demo upstream listens") {
            guard let line = process.errors.split(separator: "\n").first, line.contains("listening on") else {
                return nil
            }
            return line.split(separator: ":").last.flatMap { UInt16($0) }
        }
    }

    func end() {
        process.end()
    }

    /// `config/demo.yaml` without its listener, pointed at this upstream.
    func configuration() throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("config/demo.yaml"), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("listen:") }.joined(separator: "\n")
            .replacingOccurrences(of: "127.0.0.1:9090", with: "127.0.0.1:\(port)")
    }

    /// The configuration as a file.
    /// - Parameter port: of 127.0.0.1.
    func file(listeningOn port: UInt16 = 0) throws -> String {
        try folder.write("listen: 127.0.0.1:\(port)\n" + configuration(), to: "demo.yaml")
    }

    /// One request with the demo's token on a connection of its own.
    func request(_ method: String, _ target: String, body: String? = nil) throws -> HTTPResponse {
        try HTTPClient(port: port).request(
            method, "/v1" + target, fields: ["Authorization: Bearer demo-token"], body: body)
    }
}
