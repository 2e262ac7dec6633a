/// httpbin under gunicorn, with threads, so that slow answers do not hold up the others.
final class Httpbin: Sendable {
    /// One for the whole run: it starts slowly and keeps no state.
    static let shared = Result { try Httpbin() }

    let port: UInt16
    private let process: ChildProcess

    private init() throws {
        port = try LoopbackAddress.freePort()
        process = try ChildProcess([
            try Peers.gunicorn(), "--bind", "127.0.0.1:\(port)", "--workers", "1", "--threads", "8",
            "--keep-alive", "30", "--no-control-socket", "httpbin:app",
        ])
        try process.waitUntilListening(on: port)
    }

    var url: String { "http://127.0.0.1:\(port)" }
}
