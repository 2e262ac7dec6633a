import Foundation
import Testing

/// `cache: {shared: rediss://…}`: a Redis that speaks TLS, and servers that nobody should trust.
@Suite(.needsPeers) struct SharedStoreTLSTests {
    private let origin: TargetOrigin
    private let authority: CertificateAuthority

    init() throws {
        origin = try TargetOrigin()
        authority = try CertificateAuthority.shared.get()
    }

    private func redis(_ name: String, asksForCertificate: Bool = false) throws -> RedisServer {
        let identity = try authority.identity("redis-\(UInt32.random(in: 0 ... .max))", name: name)
        return try RedisServer(
            tls: .init(
                port: LoopbackAddress.freePort(), identity: identity, asksForCertificate: asksForCertificate))
    }

    private func gateway(_ url: String, tls: String) throws -> Daemon {
        try Daemon(
            """
            cache: {shared: {url: "\(url)", reply: 2s, connect: 5s\(tls.isEmpty ? "" : ", tls: {\(tls)}")}}
            loops: 1
            upstreams:
              origin: {url: "\(origin.url)"}
            bindings:
              ANY /**: {to: origin /**, cache: {}}
            """)
    }

    private func expectServed(_ gateway: Daemon, _ target: String) throws -> String {
        let response = try gateway.get(target)
        #expect(response.text == TargetOrigin.body(target))
        return response["Cache-Status"] ?? ""
    }

    @Test(arguments: [false, true])
    func isShared(asksForCertificate: Bool) throws {
        let redis = try redis("DNS:localhost", asksForCertificate: asksForCertificate)
        defer { redis.end() }
        var tls = "ca: \(authority.path)"
        if asksForCertificate {
            let client = try authority.identity("gateway-\(UInt32.random(in: 0 ... .max))", name: "DNS:gateway")
            tls += ", certificate: \(client.certificate), key: \(client.key)"
        }
        let first = try gateway(redis.secureURL, tls: tls)
        defer { first.end() }
        _ = try expectServed(first, "/a")
        try Poll.until("it is stored", holds: { try redis.keys().contains { $0.hasPrefix("sluice:2:entry:") } })
        let second = try gateway(redis.secureURL, tls: tls)
        defer { second.end() }
        #expect(try expectServed(second, "/a").hasSuffix("detail=SHARED"))
        #expect(origin.count("/a") == 1)
        // Longer than a record of TLS, in both directions.
        let large = try #require(
            (0..<10_000).map { "/large/\($0)" }.first { TargetOrigin.body($0).utf8.count > 16_000 })
        _ = try expectServed(first, large)
        try Poll.until("it is stored", holds: { try redis.keys().count { $0.hasPrefix("sluice:2:entry:") } >= 2 })
        #expect(try expectServed(second, large).hasSuffix("detail=SHARED"))
    }

    /// The chain and the name are verified, and a certificate is shown only where there is one: nothing is sent before.
    @Test(
        arguments: [
            ("DNS:elsewhere", true, false, "hostname mismatch: expected localhost"),
            ("DNS:localhost", false, false, "certificate"),
            ("DNS:localhost", true, true, "certificate required"),
        ])
    func isNotTrusted(_ name: String, isKnown: Bool, asksForCertificate: Bool, _ reason: String) throws {
        let redis = try redis(name, asksForCertificate: asksForCertificate)
        defer { redis.end() }
        let gateway = try gateway(redis.secureURL, tls: isKnown ? "ca: \(authority.path)" : "")
        defer { gateway.end() }
        for number in 0..<5 { #expect(try expectServed(gateway, "/\(number)") == "sluice; fwd=uri-miss; stored") }
        let said = gateway.process.errors
        #expect(said.contains("serving goes on without it"), "\(said)")
        #expect(said.contains(reason), "\(said)")
        #expect(try redis.keys().isEmpty)
    }

    /// A program on the port that answers without an end, or with what would take memory without one.
    @Test(arguments: [
        "$99999999999\r\n", "+", "$-1\r\n*4294967295\r\n", "*1\r\n", ":1\r\n$200000\r\n", "-",
    ])
    func answersWithoutEnd(_ beginning: String) throws {
        let crowd = try OriginCrowd()
        defer { crowd.end() }
        crowd.serve { connection in
            guard case .bytes = connection.receive() else { return }
            connection.send(beginning)
            let more = beginning.hasPrefix("*1") ? String(repeating: beginning, count: 10_000) : nil
            let piece = Array((more ?? String(repeating: "x", count: 1 << 16)).utf8)
            while connection.send(piece) {}
        }
        let gateway = try gateway("redis://127.0.0.1:\(crowd.port)", tls: "")
        defer { gateway.end() }
        _ = try expectServed(gateway, "/first")
        let before = try gateway.process.residentBytes
        for number in 0..<20 { _ = try expectServed(gateway, "/\(number)") }
        #expect(try gateway.process.residentBytes - before < 16 << 20)
        #expect(gateway.process.errors.contains("serving goes on without it"))
    }
}
