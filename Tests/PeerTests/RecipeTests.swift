import Foundation
import SluiceContract
import Testing

/// The recipes of `docs/CREDENTIALS.md` as they stand there, but for the two servers that they name.
@Suite(.needsPeers) struct RecipeTests {
    /// What one recipe needs, and what the upstream gets.
    struct Need: Sendable {
        var files: [String: String] = [:]
        var environment: [String: String] = [:]
        /// Who has to do something first.
        var person: Person = .nobody
        /// A line of the request; nil is a token of the server's.
        var shown: String?

        enum Person: Sendable { case nobody, atABrowser, atADevice, elsewhere }
    }

    private static let needs: [String: Need] = [
        "A token in a file": Need(
            files: ["fruit-token": "token-of-a-file"], shown: "Authorization: Bearer token-of-a-file"),
        // RFC 7617 §2, with other words.
        "A name and a password": Need(
            environment: ["FRUIT_PASSWORD": "open-sesame"],
            shown: "Authorization: Basic " + Data("sluice:open-sesame".utf8).base64EncodedString()),
        "A key in a field": Need(files: ["fruit-key": "key-of-a-file"], shown: "X-Fruit-Key: key-of-a-file"),
        "A program that prints a token": Need(shown: "Authorization: Bearer token-of-a-program"),
        "A person in a browser": Need(person: .atABrowser),
        "A person at another device": Need(person: .atADevice),
        "A service with a secret": Need(files: ["fruit-secret": AuthorizationServer.secret]),
        "A service with a key": Need(),
        "A service that speaks for somebody": Need(),
        "A token for another token": Need(
            files: ["fruit-secret": AuthorizationServer.secret, "subject-token": "token-of-somebody"]),
        "A refresh token from elsewhere": Need(person: .elsewhere),
    ]

    /// The recipes by their titles.
    private static let recipes: [String: String] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = (try? String(contentsOf: root.appendingPathComponent("docs/CREDENTIALS.md"), encoding: .utf8)) ?? ""
        let section = page.components(separatedBy: "\n## Recipes\n").last?.components(separatedBy: "\n## ").first ?? ""
        let parts = section.components(separatedBy: "\n### ").dropFirst().compactMap { part -> (String, String)? in
            let blocks = part.components(separatedBy: "```yaml\n")
            guard blocks.count == 2, let title = part.split(separator: "\n").first else { return nil }
            return (String(title), blocks[1].components(separatedBy: "```")[0])
        }
        return Dictionary(uniqueKeysWithValues: parts)
    }()

    @Test func eachIsRunByATest() { #expect(Set(Self.recipes.keys) == Set(Self.needs.keys)) }

    @Test(arguments: recipes.keys.sorted()) func works(_ title: String) throws {
        let need = try #require(Self.needs[title])
        let keys = try TemporaryFolder()
        let server = try AuthorizationServer(life: 600, key: try Self.keyPair(in: keys))
        defer { server.end() }
        let origin = try ScriptedOrigin(answering: BearerTests.ok)
        defer { origin.end() }
        var files = need.files
        files["fruit-key.pem"] = keys.read("key.pem")
        if need.person == .elsewhere { files["fruit-refresh-token"] = try Self.refreshToken(of: server) }
        _ = try keys.writeProgram(
            "#!/bin/sh\n[ \"$*\" = 'auth token' ] && echo token-of-a-program\n", to: "fruit")
        let path = keys.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let recipe = try #require(Self.recipes[title]).replacingOccurrences(
            of: "https://accounts.example", with: server.url)
        let gateway = try Daemon(
            """
            admin: \(keys.file("admin.sock"))
            state: \(keys.file("state"))
            upstreams: {fruit: {url: "\(origin.url)", credential: fruit}}
            bindings: {GET /me: {to: fruit /me}}
            \(recipe)
            """, environment: need.environment.merging(["PATH": path]) { $1 }, files: files)
        defer { gateway.end() }
        switch need.person {
        case .nobody, .elsewhere: break
        case .atABrowser: try CredentialBench.signIn("fruit", at: server, gateway.file)
        case .atADevice:
            #expect(try CredentialBench.signInOnDevice("fruit", at: server, gateway.file).exitStatus == 0)
        }
        #expect(try gateway.get("/me").status == 200, "\(gateway.process.errors)")
        let received = origin.allReceived
        if let shown = need.shown {
            #expect(received.contains(shown + "\r\n"), "\(received)")
        } else {
            let tokens = try server.secrets()
            #expect(tokens.contains { received.contains("Authorization: Bearer \($0)\r\n") }, "\(received)")
        }
    }

    /// - Returns: the file of the public key.
    private static func keyPair(in folder: TemporaryFolder) throws -> String {
        let (key, publicKey) = (folder.file("key.pem"), folder.file("public.pem"))
        let made = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", key]
        for command in [made, ["pkey", "-in", key, "-pubout", "-out", publicKey]] {
            let process = try ChildProcess([try Peers.openssl()] + command)
            guard try process.waitForExit() == 0 else { throw HarnessError(process.errors) }
        }
        return publicKey
    }

    /// Of somebody who has signed in with another program.
    private static func refreshToken(of server: AuthorizationServer) throws -> String {
        let folder = try TemporaryFolder()
        let page = try folder.write(
            """
            state: \(folder.file("state"))
            credentials: {fruit: {oauth2: {issuer: "\(server.url)", client-id: person}}}

            """, to: "sluice.yaml")
        try CredentialBench.signIn("fruit", at: server, page)
        struct Record: Decodable { var refresh_token: String }
        return try JSONDecoder().decode(Record.self, from: Data(folder.read("state/fruit.token").utf8)).refresh_token
    }
}
