import Foundation
import Testing

/// Content codings as programs that nobody here wrote produce and read them.
@Suite struct CodingTests {
    private static func gateway(_ url: String, _ binding: String, upstream: String = "") throws -> Daemon {
        try Daemon(
            """
            upstreams:
              api: {url: "\(url)"\(upstream)}
            bindings:
              GET /a: {to: api /a.json, \(binding)}
              ANY /raw/**: {to: api /**}
            """)
    }

    /// nginx compresses on the fly, in chunks.
    @Test func nginxCompresses() throws {
        let authority = try CertificateAuthority.shared.get()
        let folder = try TemporaryFolder()
        let items = (0..<20_000).map { #"{"id": \#($0), "name": "fruit \#($0 % 97)"}"# }
        let slice = "[" + items.joined(separator: ", ") + "]"
        _ = try folder.write(#"{"total": 20000, "values": \#(slice)}"#, to: "a.json")
        let origin = try NginxOrigin(
            identity: try authority.identity("codings", name: "DNS:localhost"),
            locations: """
                root \(folder.path);
                gzip on;
                gzip_types application/json;
                gzip_min_length 1;
                gzip_proxied any;
                add_header X-Asked $http_accept_encoding always;
                """)
        defer { origin.end() }
        for (asked, hold) in [("", "10MiB"), ("", "64KiB"), (", accept-encoding: identity", "10MiB")] {
            let gateway = try Self.gateway(
                "https://localhost:\(origin.port)", "parent: values, value: [{id: Int, name: String}], hold: \(hold)",
                upstream: ", tls: {ca: \"\(authority.path)\"}\(asked)")
            defer { gateway.end() }
            let response = try gateway.get("/a")
            #expect(response.status == 200, "\(response.text.prefix(300))")
            #expect(response.isComplete && response.text == slice)
            #expect(response["X-Asked"] == (asked.isEmpty ? "gzip, deflate, br, zstd" : "identity"))
            #expect(response["Content-Encoding"] == nil)
        }
    }

    @Test(.needsPeers, arguments: ["gzip", "deflate", "brotli"])
    func httpbinCompresses(coding: String) throws {
        let gateway = try Daemon(
            """
            upstreams:
              httpbin: {url: "\(Httpbin.shared.get().url)"}
            bindings:
              GET /a: {to: httpbin /\(coding), value: {method: String}}
            """)
        defer { gateway.end() }
        let response = try gateway.get("/a")
        #expect(response.status == 200, "\(response.text)")
        #expect(response.text.contains(#""method": "GET""#))
        #expect(response["Content-Encoding"] == nil)
    }

    @Test func gzipReadsWhatIsCompressed() throws {
        let items = (0..<5000).map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        let body = #"{"values": [\#(items)]}"#
        let origin = try ScriptedOrigin(
            answering: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body)
        defer { origin.end() }
        let gateway = try Self.gateway(
            origin.url, "parent: values, value: [{id: Int}], compress: {codings: [gzip]}")
        defer { gateway.end() }
        let coded = try gateway.get("/a", fields: ["Accept-Encoding: gzip"])
        #expect(coded["Content-Encoding"] == "gzip" && coded["Vary"] == "Accept-Encoding")
        #expect(coded.isComplete && coded.body.count < 20_000)
        #expect(coded.body.starts(with: [0x1F, 0x8B]))
        let plain = try gateway.get("/a")
        #expect(plain["Content-Encoding"] == nil && plain.text == "[\(items)]")
        #expect(try Self.gunzip(coded.body) == plain.text)
    }

    /// gzip(1), beside which nobody's gzip counts.
    private static func gunzip(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.gz"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-dc", path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
