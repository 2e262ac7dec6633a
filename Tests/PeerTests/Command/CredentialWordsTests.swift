import Testing

/// What an authorization server says, as a terminal sees it.
@Suite struct CredentialWordsTests {
    private static let escape = "\u{1B}"

    /// Signs in at a server that answers so, without a daemon, and lists what has come of it.
    private func signIn(_ json: String) throws -> (login: ChildProcess, list: ChildProcess) {
        let origin = try ScriptedOrigin(
            answering: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n\r\n"
                + json)
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let page = try folder.write(
            """
            state: \(folder.file("state"))
            credentials:
              bot:
                oauth2:
                  token-url: \(origin.url)/token
                  client-id: bot
                  client-secret: {value: any}
                  grant: client-credentials
            upstreams:
              fruit: {url: "\(origin.url)", credential: bot}
            bindings:
              GET /me: {to: fruit /me}

            """, to: "sluice.yaml")
        return (
            try Daemon.run("login", "bot", "--config", page), try Daemon.run("credentials", "--config", page)
        )
    }

    @Test func aRefusalCommandsNoTerminal() throws {
        let (login, _) = try signIn(#"{"error":"no\u001b[2J","error_description":"\u001b]0;title\u0007 never"}"#)
        #expect(login.exitStatus == 1 && login.errors.contains("never"), "\(login.errors)")
        #expect(!login.errors.contains(Self.escape))
    }

    @Test func aNameThatIsNotThereIsTold() throws {
        let folder = try TemporaryFolder()
        let gateway = try Daemon(
            """
            admin: \(folder.file("admin.sock"))
            credentials: {forge: {bearer: {value: abc}}}
            upstreams: {fruit: {url: "http://127.0.0.1:9", credential: forge}}
            bindings: {GET /me: {to: fruit /me}}
            """)
        defer { gateway.end() }
        for (name, words) in [
            ("nope", "there is no credential 'nope'"), ("forgo", "'forgo'; did you mean 'forge'?"),
            ("forge", "'forge' is of the kind 'bearer'"),
        ] {
            let refresh = try Daemon.run("credentials", "refresh", name, "--config", gateway.file)
            #expect(refresh.exitStatus == 1 && refresh.errors.contains(words), "\(refresh.errors)")
            #expect(!refresh.errors.contains("admin socket"), "\(refresh.errors)")
        }
    }

    @Test(arguments: ["login", "logout"]) func thoseToSignInToAreListed(_ verb: String) throws {
        let folder = try TemporaryFolder()
        let client = "token-url: \"https://a.example/t\", client-id: x, client-secret: {value: y}"
        let page = try folder.write(
            """
            state: \(folder.file("state"))
            credentials: {bot: {oauth2: {\(client), grant: client-credentials}}, forge: {bearer: {value: abc}}}
            upstreams: {fruit: {url: "http://127.0.0.1:9", credential: bot}}
            bindings: {GET /me: {to: fruit /me}}
            """, to: "sluice.yaml")
        let process = try Daemon.run(verb, "nothing", "--config", page)
        #expect(process.exitStatus == 1, "\(process.errors)")
        #expect(process.errors.contains("there is no credential 'nothing'; expected bot\n"), "\(process.errors)")
    }

    /// Marks, embeddings, overrides and isolates (UAX #9 §2).
    @Test func aRefusalTurnsNoTextAround() throws {
        let marks = "\u{061C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"
        let (login, _) = try signIn(#"{"error":"no","error_description":"a\#(marks)b never"}"#)
        let shown = "a" + String(repeating: "\u{FFFD}", count: marks.unicodeScalars.count) + "b never"
        #expect(login.exitStatus == 1 && login.errors.contains(shown), "\(login.errors)")
    }

    @Test func aScopeCommandsNoTerminal() throws {
        let (login, list) = try signIn(#"{"access_token":"a1","expires_in":600,"scope":"read\u001b[2J"}"#)
        #expect(login.exitStatus == 0 && login.output.contains("for read"), "\(login.output)\(login.errors)")
        // Times have a zone.
        #expect(login.output.contains(" UTC") && list.output.contains(" UTC"), "\(login.output)\(list.output)")
        #expect(list.output.contains("ready") && list.output.contains("read\u{FFFD}"), "\(list.output)")
        #expect(!login.output.contains(Self.escape) && !list.output.contains(Self.escape))
    }
}
