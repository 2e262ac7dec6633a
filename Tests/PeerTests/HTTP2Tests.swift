import Foundation
import Testing

/// HTTP/2 as clients speak it that nobody here wrote: curl, nghttp and h2load, over TLS and in cleartext.
@Suite(.needsPeers) struct HTTP2Tests {
    private func gateway(_ origin: EchoOrigin) throws -> Daemon {
        try Daemon(
            """
            loops: 1
            upstreams:
              origin: {url: "http://127.0.0.1:\(origin.port)"}
            bindings:
              ANY /raw/**: {to: origin /**}
              GET /typed/{id}: {to: "origin /{id}", params: {id: Int}, parent: data, value: {id: Int}}
            """)
    }

    private func run(_ command: String...) throws -> ChildProcess {
        let process = try ChildProcess(command)
        #expect(try process.waitForExit() == 0, "\(process.errors)")
        return process
    }

    @Test func curlWithPriorKnowledge() throws {
        let origin = try EchoOrigin()
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let curl = try run(
            "/usr/bin/curl", "-sS", "--http2-prior-knowledge", "-w", "%{http_version} %{http_code}",
            "http://127.0.0.1:\(gateway.port)/typed/42")
        #expect(curl.output == #"{"id":42}2 200"#)
        // HTTP/1.1 on the same port.
        #expect(try gateway.get("/typed/43").text == #"{"id":43}"#)
    }

    @Test func uploadsThatAreLongerThanAnyWindow() throws {
        let origin = try EchoOrigin()
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let folder = try TemporaryFolder()
        let file = try folder.write(String(repeating: "u", count: 300_000), to: "upload")
        let curl = try run(
            "/usr/bin/curl", "-sS", "--http2-prior-knowledge", "--data-binary", "@\(file)", "-o", "/dev/null", "-w",
            "%{http_code} %{size_upload} %{size_download}", "http://127.0.0.1:\(gateway.port)/raw/7")
        let words = curl.output.split(separator: " ")
        #expect(words.prefix(2) == ["200", "\(300_000)"])
        #expect(words.last.flatMap { Int($0) } ?? 0 > 300_000)
    }

    @Test func manyStreamsOfOneConnection() throws {
        let origin = try EchoOrigin()
        defer { origin.end() }
        let gateway = try gateway(origin)
        defer { gateway.end() }
        let load = try run(
            "/usr/bin/h2load", "-n2000", "-c2", "-m50", "http://127.0.0.1:\(gateway.port)/typed/1")
        #expect(load.output.contains("2000 succeeded, 0 failed, 0 errored"), "\(load.output)")
        let nghttp = try run(
            "/usr/bin/nghttp", "-ns", "http://127.0.0.1:\(gateway.port)/typed/5",
            "http://127.0.0.1:\(gateway.port)/raw/6")
        #expect(nghttp.output.components(separatedBy: " 200 ").count == 3, "\(nghttp.output)")
    }

    /// More waits than the socket takes at once, and more than has room in records: all of it goes out in the end.
    @Test func longDownloadsBesideEachOtherOverTLS() throws {
        let authority = try CertificateAuthority.shared.get()
        let identity = try authority.identity("downloads", name: "DNS:localhost")
        let folder = try TemporaryFolder()
        _ = try folder.write(String(repeating: "d", count: 6_000_000), to: "long")
        let origin = try NginxOrigin(identity: identity, locations: "root \(folder.path);")
        defer { origin.end() }
        let port = try LoopbackAddress.freePort()
        let gateway = try Daemon(
            """
            loops: 1
            upstreams: {origin: {url: "https://localhost:\(origin.port)", tls: {ca: \(authority.path)}}}
            bindings: {ANY /**: {to: origin /**}}
            """,
            extraListener:
                "{address: 127.0.0.1:\(port), tls: {certificate: \(identity.certificate), key: \(identity.key)}}")
        defer { gateway.end() }
        let downloads = [String](repeating: "https://localhost:\(port)/long", count: 3)
        let curl = try ChildProcess(
            ["/usr/bin/curl", "-sS", "-Z", "--http2", "--max-time", "20", "--cacert", authority.path]
                + ["-w", "%{http_version} %{size_download},"] + downloads.flatMap { [$0, "-o", "/dev/null"] })
        #expect(try curl.waitForExit() == 0, "\(curl.errors)")
        #expect(curl.output == String(repeating: "2 6000000,", count: 3))
    }

    @Test func theHandshakeTells() throws {
        let origin = try EchoOrigin()
        defer { origin.end() }
        let authority = try CertificateAuthority.shared.get()
        let identity = try authority.identity("http2", name: "DNS:localhost")
        let (port, plainPort) = (try LoopbackAddress.freePort(), try LoopbackAddress.freePort())
        let folder = try TemporaryFolder()
        let tls = "tls: {certificate: \(identity.certificate), key: \(identity.key)}"
        let path = try folder.write(
            """
            listen:
              - {address: "127.0.0.1:\(port)", \(tls)}
              - {address: "127.0.0.1:\(plainPort)", \(tls), http2: false}
            upstreams: {origin: {url: "http://127.0.0.1:\(origin.port)"}}
            bindings: {ANY /**: {to: origin /**}}
            """, to: "sluice.yaml")
        let daemon = try ChildProcess([Daemon.binary, "serve", "--config", path])
        defer { daemon.end() }
        try daemon.waitUntilServing(on: port)
        func version(_ port: UInt16, _ options: String...) throws -> String {
            let curl = try ChildProcess(
                ["/usr/bin/curl", "-sS", "--cacert", authority.path, "-o", "/dev/null", "-w", "%{http_version}"]
                    + options + ["https://localhost:\(port)/1"])
            #expect(try curl.waitForExit() == 0, "\(curl.errors)")
            return curl.output
        }
        #expect(try version(port) == "2")
        #expect(try version(port, "--http1.1") == "1.1")
        #expect(try version(plainPort) == "1.1")
    }
}
