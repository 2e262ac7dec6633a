import Foundation

/// nginx over TLS, with canned answers.
final class NginxOrigin: Sendable {
    let port: UInt16
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// - Parameters:
    ///   - clientAuthority: PEM file of who has to have signed the client's certificate; nil asks for none.
    ///   - locations: what stands inside of `server {}`.
    init(
        identity: CertificateAuthority.Identity, clientAuthority: String? = nil, speaksHTTP2: Bool = false,
        locations: String
    ) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        port = try LoopbackAddress.freePort()
        let clients = clientAuthority.map { "ssl_client_certificate \($0); ssl_verify_client on;" } ?? ""
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\($0);"
        }
        let configuration = try folder.write(
            """
            \(geteuid() == 0 ? "user root root;" : "")
            daemon off;
            worker_processes 1;
            pid \(folder.path)/pid;
            error_log stderr error;
            events { worker_connections 256; }
            http {
                access_log off;
                default_type application/json;
                \(temporary.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) ssl\(speaksHTTP2 ? " http2" : "");
                    ssl_certificate \(identity.certificate);
                    ssl_certificate_key \(identity.key);
                    \(clients)
                    \(locations)
                }
            }
            """, to: "nginx.conf")
        process = try ChildProcess([
            try Peers.nginx(), "-p", folder.path, "-c", configuration, "-e", "stderr",
        ])
        try process.waitUntilListening(on: port)
    }

    func end() {
        process.end()
    }
}
