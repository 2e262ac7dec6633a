import Foundation
import SluiceContract
import Testing

/// Where secrets of credentials are not to be found, and what programs are told.
@Suite(.needsPeers) struct CredentialsSecrecyTests {
    /// - Parameter isSealed: whether the files with the tokens are sealed; then they are searched as well.
    @Test(arguments: [false, true]) func noSecretIsTold(isSealed: Bool) throws {
        let keys = try TemporaryFolder()
        let stateKey = String(repeating: "5ea1ed0f", count: 8)
        let keyFile = try keys.write(stateKey, to: "state.key")
        let audit = keys.file("audit.log")
        let redis = try RedisServer()
        defer { redis.end() }
        let bench = try CredentialBench(
            life: 2,
            more: """
                log: {level: trace, access: "-", audit: \(audit)}
                cache: {disk: "\(keys.file("disk"))", shared: "\(redis.url)"}
                \(isSealed ? "state-key: \(keyFile)" : "")
                """)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        var told = [try gateway.get("/me").text]
        try told.append(bench.signIn(gateway.file).output)
        try Poll.until(
            "a token was renewed",
            holds: { try gateway.get("/me").status == 200 && bench.server.counts().refreshes > 0 })
        try told.append(gateway.get("/bot").text)
        let kept = try gateway.get("/kept").text
        told.append(kept)
        try told.append(gateway.get("/stranger").expectProblem(.credentialUnavailable).detail)
        try bench.server.forgetAccessTokens()
        try told.append(gateway.get("/me").text)

        for verb in [
            ["credentials"], ["credentials", "--json"], ["cache", "list"], ["cache", "explain", "GET", "/me"],
        ] {
            let process = try ChildProcess([Daemon.binary] + verb + ["--config", gateway.file])
            _ = try process.waitForExit()
            told += [process.output, process.errors]
        }
        told.append(try String(contentsOfFile: "/proc/\(gateway.process.pid)/cmdline", encoding: .utf8))
        let state = bench.folder.file("state")
        let names = try FileManager.default.subpathsOfDirectory(atPath: state)
        told += names
        let files = names.compactMap { FileManager.default.contents(atPath: state + "/" + $0) }
            .map { String(decoding: $0, as: UTF8.self) }.joined()
        if isSealed { told.append(files) }
        try Poll.until("it is shared") { try redis.content().contains(kept) ? true : nil }
        gateway.end()
        // What is stored is there, and says whose it is by a hash alone.
        let (shared, disk) = (try redis.content(), Self.files(in: keys.file("disk")))
        #expect(kept.count > 20 && shared.contains(kept) && disk.contains { $0.contains(kept) })
        told += [shared] + disk
        let audited = keys.read("audit.log")
        #expect(audited.contains(#""credential":"bot""#))
        told.append(audited)
        told += [gateway.process.output, gateway.process.errors]
        #expect(!gateway.process.errors.isEmpty && gateway.process.output.contains("stranger"))

        let tokens = try bench.server.secrets()
        // The search finds what is there.
        #expect(tokens.contains { files.contains($0) } != isSealed)
        let text = told.joined(separator: "\n")
        for secret in tokens + [AuthorizationServer.secret, CredentialBench.strangersSecret, stateKey] {
            #expect(!text.contains(secret))
        }
    }

    private static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { FileManager.default.contents(atPath: folder + "/" + $0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aProgramIsGivenFewVariables() throws {
        let folder = try TemporaryFolder()
        let program = try folder.writeProgram(
            "#!/bin/sh\ntr '\\0' '\\n' </proc/$$/environ >\(folder.file("environment"))\necho token-of-a-program\n",
            to: "program")
        let origin = try ScriptedOrigin(answering: BearerTests.ok)
        defer { origin.end() }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let documented = ["HOME": folder.path, "PATH": path, "LANG": "C.UTF-8", "USER": "somebody", "NAMED": "named"]
        let gateway = try Daemon(
            """
            log: {level: trace, access: "-"}
            credentials:
              printed: {command: {run: [\(program)], variables: [NAMED]}}
            upstreams:
              origin: {url: "\(origin.url)", credential: printed}
            bindings:
              GET /a: {to: origin /}
            """, environment: documented.merging(["OTHER": "other", "NAMED_NOT": "other"]) { own, _ in own })
        defer { gateway.end() }
        #expect(try gateway.get("/a").status == 200)
        #expect(origin.allReceived.contains("Authorization: Bearer token-of-a-program\r\n"))
        let given = folder.read("environment").split(separator: "\n").map(String.init)
        #expect(Set(given) == Set(documented.map { "\($0.key)=\($0.value)" }))
        #expect(!(gateway.process.output + gateway.process.errors).contains("token-of-a-program"))
    }

    /// The server verifies the assertion with `authlib`, and that it comes once. It takes no EdDSA by itself.
    @Test(
        arguments: [
            ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
            ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
        ])
    func aClientProvesItselfWithAKey(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let (key, publicKey) = (folder.file("key.pem"), folder.file("public.pem"))
        for command in [["genpkey", "-out", key] + arguments, ["pkey", "-in", key, "-pubout", "-out", publicKey]] {
            let process = try ChildProcess([try Peers.openssl()] + command)
            #expect(try process.waitForExit() == 0, "\(process.errors)")
        }
        chmod(key, 0o600)
        let server = try AuthorizationServer(life: 2, key: publicKey)
        defer { server.end() }
        let gateway = try Daemon(
            """
            credentials:
              signer:
                oauth2:
                  token-url: \(server.url)/token
                  client-id: signer
                  key: \(key)
                  audience: https://api.example
                  grant: client-credentials
            upstreams:
              api: {url: "\(server.url)", credential: signer}
            bindings:
              GET /me: {to: api /me}
            """)
        defer { gateway.end() }
        try Poll.until(
            "there was a second assertion",
            holds: { try AuthorizationServer.Me(gateway.get("/me")).name == "signer" && server.counts().serial > 1 })
    }
}
