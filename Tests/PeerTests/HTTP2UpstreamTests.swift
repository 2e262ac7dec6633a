import Foundation
import Testing

/// Upstreams that speak HTTP/2 and that nobody here wrote: nghttpd, nginx, Node's http2, and gRPC for Python.
@Suite(.needsPeers) struct HTTP2UpstreamTests {
    private func nghttpd(_ files: [String: String], _ body: (UInt16) throws -> Void) throws {
        let folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.write(text, to: name) }
        let port = try LoopbackAddress.freePort()
        let process = try ChildProcess([
            try Peers.nghttpd(), "--no-tls", "-a", "127.0.0.1", "-d", folder.path, "\(port)",
        ])
        defer { process.end() }
        try process.waitUntilListening(on: port)
        try body(port)
    }

    private func gateway(_ url: String, _ settings: String) throws -> Daemon {
        try Daemon(
            """
            loops: 1
            upstreams:
              origin: {url: "\(url)", \(settings)}
            bindings:
              ANY /raw/**: {to: origin /**}
              GET /typed: {to: origin /typed.json, parent: values, value: [Int]}
            """)
    }

    @Test func nghttpdWithPriorKnowledge() throws {
        let large = String(repeating: "0123456789", count: 200_000)
        try nghttpd(["small": "hello", "large": large, "typed.json": #"{"values": [1, 2, 3]}"#]) { port in
            let gateway = try gateway("http://127.0.0.1:\(port)", "protocol: h2c")
            defer { gateway.end() }
            let client = try gateway.client()
            #expect(try client.get("/raw/small").text == "hello")
            #expect(try client.get("/raw/large").body.count == large.utf8.count)
            #expect(try client.get("/typed").text == "[1, 2, 3]")
            #expect(try client.get("/raw/none").status == 404)
            let load = try ChildProcess([
                "/usr/bin/h2load", "-n3000", "-c4", "-m25", "http://127.0.0.1:\(gateway.port)/raw/small",
            ])
            #expect(try load.waitForExit() == 0)
            #expect(load.output.contains("3000 succeeded, 0 failed, 0 errored"), "\(load.output)")
        }
    }

    /// `auto` speaks what the handshake settles on, and `h2` insists.
    @Test(arguments: [
        ("h2", "auto", "HTTP/2.0"), ("", "auto", "HTTP/1.1"), ("h2", "h1", "HTTP/1.1"), ("h2", "h2", "HTTP/2.0"),
    ])
    func nginxOverTLS(_ server: String, _ setting: String, _ version: String) throws {
        let authority = try CertificateAuthority.shared.get()
        let nginx = try NginxOrigin(
            identity: try authority.identity("h2-\(server)-\(setting)", name: "DNS:localhost"),
            speaksHTTP2: server == "h2",
            locations: #"""
                keepalive_requests 7;
                location / { return 200 '$server_protocol'; }
                """#)
        defer { nginx.end() }
        let gateway = try gateway(
            "https://localhost:\(nginx.port)", "protocol: \(setting), tls: {ca: \(authority.path)}")
        defer { gateway.end() }
        let client = try gateway.client()
        // More than one connection serves: nginx says goodbye after seven.
        for _ in 0..<40 {
            let answer = try client.get("/raw/a").text
            #expect(answer == version)
        }
    }

    @Test func h2IsInsistedUpon() throws {
        let authority = try CertificateAuthority.shared.get()
        let nginx = try NginxOrigin(
            identity: try authority.identity("insists", name: "DNS:localhost"), locations: TLSTests.locations)
        defer { nginx.end() }
        let gateway = try gateway("https://localhost:\(nginx.port)", "protocol: h2, tls: {ca: \(authority.path)}")
        defer { gateway.end() }
        try gateway.get("/raw/a").expectProblem(.tlsFailure)
    }

    @Test func callsOfGRPC() throws {
        let port = try LoopbackAddress.freePort()
        let server = try GRPCPeer.server(port: port)
        defer { server.end() }
        let closed = try LoopbackAddress.freePort()
        let gateway = try Daemon(
            """
            loops: 1
            upstreams:
              fruit: {url: "http://127.0.0.1:\(port)", protocol: h2c}
              gone: {url: "http://127.0.0.1:\(closed)", protocol: h2c}
            bindings:
              POST /Fruit/**: {to: fruit /Fruit/**, upgrade: grpc}
              POST /Gone/**: {to: gone /Gone/**, upgrade: grpc}
            """)
        defer { gateway.end() }
        let client = try GRPCPeer.client("127.0.0.1:\(gateway.port)")
        #expect(try client.waitForExit() == 0, "\(client.errors)")
        #expect(client.output == "done\n")
    }
}
