import Foundation
import Testing

/// Programs that nobody here wrote. A missing one fails the tests that need it, unless `SLUICE_SKIP_PEERS` is 1.
enum Peers {
    static var areSkipped: Bool { environment["SLUICE_SKIP_PEERS"] == "1" }

    /// gunicorn of the virtual environment that `scripts/test` makes.
    static func gunicorn() throws -> String { try python("gunicorn") }

    /// The interpreter that has `websockets`.
    static func webSockets() throws -> String {
        _ = try python("websockets")
        return try python("python3")
    }

    /// The interpreter that has `grpcio`.
    static func grpc() throws -> String { try python("python3") }

    /// The interpreter that has `botocore` and `joserfc`.
    static func signatures() throws -> String { try python("python3") }

    /// The interpreter that has `authlib` and `flask`.
    static func authorizationServer() throws -> String { try python("python3") }

    static func openIDProvider() throws -> String { try python("oidc-provider-mock") }

    /// An interpreter with nothing but what comes with it.
    static func python() throws -> String { try python("python3") }

    /// nghttp2's server.
    static func nghttpd() throws -> String {
        let path = "/usr/bin/nghttpd"
        return try existing("nghttpd", FileManager.default.isExecutableFile(atPath: path) ? path : "/usr/sbin/nghttpd")
    }

    /// Prometheus' own tool for whoever writes for it.
    static func promtool() throws -> String { try existing("promtool", "/usr/bin/promtool") }

    /// Debian's browser.
    static func chromium() throws -> String { try existing("chromium", "/usr/bin/chromium") }

    static func prometheus() throws -> String { try existing("prometheus", "/usr/bin/prometheus") }

    private static func python(_ program: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        return try existing(program, (environment["SLUICE_PEERS"] ?? root + "/.build/peers/venv") + "/bin/" + program)
    }

    static func nginx() throws -> String {
        try existing("nginx", "/usr/sbin/nginx")
    }

    static func redis() throws -> String {
        try existing("redis-server", "/usr/bin/redis-server")
    }

    static func openssl() throws -> String {
        try existing("openssl", "/usr/bin/openssl")
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    private static func existing(_ name: String, _ path: String) throws -> String {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw HarnessError("\(name) is not at \(path): scripts/test installs it, SLUICE_SKIP_PEERS=1 does without")
        }
        return path
    }
}

extension Trait where Self == ConditionTrait {
    /// For suites that need programs of others.
    static var needsPeers: Self { .disabled(if: Peers.areSkipped, "SLUICE_SKIP_PEERS=1") }
}
