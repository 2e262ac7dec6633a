import Foundation
import Testing

/// People who sign in through the daemon, and without one.
@Suite(.needsPeers) struct SignInTests {
    /// As under systemd: the daemon alone knows the folder.
    @Test func theDaemonKeepsTheTokensInItsOwnFolder() throws {
        let bench = try CredentialBench(life: 600, namesState: false)
        defer { bench.end() }
        let home = try TemporaryFolder()
        let gateway = try bench.daemon(environment: ["STATE_DIRECTORY": bench.folder.file("state")])
        defer { gateway.end() }
        let others = ["HOME": home.path, "XDG_STATE_HOME": home.path]
        let login = try bench.signIn(gateway.file, environment: others)
        #expect(login.output.contains("Kept by the daemon in \(bench.folder.file("state"))."), "\(login.output)")
        // At once: whoever reads that somebody is signed in may ask.
        #expect(try AuthorizationServer.Me(gateway.get("/me")).name == "person")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path).isEmpty)
        #expect(!bench.folder.read("state/person.token").isEmpty)

        let logout = try Daemon.run("logout", "person", "--config", gateway.file, environment: others)
        #expect(logout.exitStatus == 0 && logout.output.contains("given back"), "\(logout.output)\(logout.errors)")
        try gateway.get("/me").expectProblem(.signInNeeded)
        #expect(bench.folder.read("state/person.token").isEmpty)
        let again = try Daemon.run("logout", "person", "--config", gateway.file, environment: others)
        #expect(again.output == "Nobody is signed in as 'person'.\n")
    }

    @Test func withoutADaemonTheFolderIsEnough() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let folder = try TemporaryFolder()
        let page = try folder.write(bench.page(), to: "sluice.yaml")
        #expect(try bench.list(page).entries["person"]?.state == "sign-in needed")
        let login = try bench.signIn(page)
        #expect(login.errors.contains("No daemon answers at"))
        #expect(login.output.contains("Kept in \(bench.folder.file("state"))."))
        let listing = try Daemon.run("credentials", "--config", page)
        #expect(listing.exitStatus == 0 && listing.errors.contains("No daemon answers at"))
        let entries = try bench.list(page).entries
        #expect(entries["person"]?.state == "ready" && entries["person"]?.expiresAt != nil)
        #expect(entries["person"]?.kind == "oauth2" && entries["bot"]?.state == "missing")
        for secret in try bench.server.secrets() { #expect(!listing.output.contains(secret)) }
        // A daemon that comes later finds it.
        let gateway = try bench.daemon()
        defer { gateway.end() }
        #expect(try gateway.get("/me").status == 200)
    }

    /// Browsers connect ahead of time and say nothing, and so may anybody on this machine.
    @Test func silentConnectionsDoNotHoldUpTheBrowser() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let folder = try TemporaryFolder()
        var silent: [Connection] = []
        let login = try bench.signIn(folder.write(bench.page(), to: "sluice.yaml")) { back in
            let port = try #require(back.port.flatMap { UInt16(exactly: $0) })
            for _ in 0..<8 { silent.append(try Connection(port: port)) }
        }
        #expect(login.exitStatus == 0)
        for connection in silent { connection.end() }
    }

    /// One byte after the other is no request: the whole of it has a deadline.
    @Test func aRequestThatTricklesInIsEnded() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let folder = try TemporaryFolder()
        try bench.signIn(folder.write(bench.page(), to: "sluice.yaml")) { back in
            let connection = try Connection(port: try #require(back.port.flatMap { UInt16(exactly: $0) }))
            connection.send("GET / HTTP/1.1\r\nX-Long: ")
            var asked = 0
            try Poll.until(
                "the connection is closed",
                holds: {
                    // Seldom enough that no limit on the size of a head is met.
                    asked += 1
                    return asked % 50 == 0 && !connection.send("x")
                })
        }
    }

    /// The daemon trusts no command: a code that belongs to another sign-in is not redeemed.
    @Test func theDaemonLooksAtStateAndIssuerItself() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        func post(_ path: String, _ fields: [String] = []) throws -> ChildProcess {
            let process = try ChildProcess(
                ["/usr/bin/curl", "--silent", "-X", "POST", "--unix-socket", bench.folder.file("one.sock")]
                    + fields.flatMap { ["-H", $0] } + ["http://localhost/credentials/person/\(path)"])
            _ = try process.waitForExit()
            return process
        }
        struct Begun: Decodable { var id, url, state, issuer: String }
        func begin() throws -> Begun {
            let begun = try post("login?redirect=http://127.0.0.1:1/callback")
            return try JSONDecoder().decode(Begun.self, from: Data(begun.output.utf8))
        }
        for (state, issuer, reason) in [
            ("other", "", "another sign-in"), ("", "https://evil.example", "another server"),
        ] {
            let begun = try begin()
            let fields = [
                "Sluice-Code: x", "Sluice-State: \(state.isEmpty ? begun.state : state)",
                "Sluice-Issuer: \(issuer.isEmpty ? begun.issuer : issuer)",
            ]
            #expect(try post("login/code?id=\(begun.id)", fields).output.contains(reason))
            // It was for one use.
            #expect(try post("login/code?id=\(begun.id)", fields).output.contains("run 'sluice login' again"))
        }
        #expect(try post("login?redirect=https://evil.example/").output.contains("127.0.0.1"))
        #expect(try bench.server.counts().begun == 0)
    }

    /// RFC 8628 §3.5, with `authlib` on the other side.
    @Test func aPersonAgreesOnAnotherDevice() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        let login = try bench.signInOnDevice(gateway.file) {
            try Poll.until("it is pending", holds: { try bench.server.counts().pending > 0 })
            try bench.server.slowDown()
            try Poll.until("it is too fast", holds: { try bench.server.counts().slowed > 0 })
        }
        #expect(login.exitStatus == 0 && login.output.contains("Signed in as 'device'"), "\(login.errors)")
        #expect(try AuthorizationServer.Me(gateway.get("/device")).name == "device")
        let counts = try bench.server.counts()
        #expect(counts.slowed == 1 && counts.hurried == 0, "\(counts)")
    }

    @Test(arguments: [true, false]) func aPersonMaySayNo(hasDaemon: Bool) throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let folder = try TemporaryFolder()
        let gateway = hasDaemon ? try bench.daemon() : nil
        defer { gateway?.end() }
        let page = try gateway?.file ?? folder.write(bench.page(), to: "sluice.yaml")
        let login = try bench.signInOnDevice(page, denies: true)
        #expect(login.exitStatus == 1 && login.errors.contains("the sign-in was refused"), "\(login.errors)")
    }

    /// An OpenID provider that has nothing in common with the other server but the RFCs.
    @Test func aPersonSignsInAtAnOpenIDProvider() throws {
        let provider = try OIDCProvider(life: 2)
        defer { provider.end() }
        let folder = try TemporaryFolder()
        let gateway = try Daemon(
            """
            admin: \(folder.file("admin.sock"))
            state: \(folder.file("state"))
            credentials:
              person:
                oauth2: {issuer: "\(provider.url)", client-id: any, client-secret: {value: any}, scope: [openid]}
            upstreams:
              provider: {url: "\(provider.url)", credential: person}
            bindings:
              GET /userinfo: {to: provider /userinfo}
            """)
        defer { gateway.end() }
        let login = try ChildProcess([Daemon.binary, "login", "person", "--no-browser", "--config", gateway.file])
        let address = try Poll.until("an address is printed") {
            if let status = login.exitStatus { throw HarnessError("login ended with \(status): \(login.errors)") }
            return login.errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .first { $0.hasPrefix(provider.url) }
        }
        #expect(try CredentialBench.get(provider.agree(address)).status == 200)
        #expect(try login.waitForExit() == 0, "\(login.errors)")
        #expect(try gateway.get("/userinfo").text.contains("somebody"))
        let first = folder.read("state/person.token")
        try Poll.until(
            "the token was renewed and works",
            holds: {
                try gateway.get("/userinfo").status == 200 && folder.read("state/person.token") != first
            })
    }

    /// Each line of the audit log, from a life with all that happens in it.
    @Test func theAuditLogTellsOfIt() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("audit.log")
        let bench = try CredentialBench(life: 2, more: "log: {audit: \(file), access: \(folder.file("access.log"))}")
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        try bench.signIn(gateway.file)
        #expect(try gateway.get("/me").status == 200)
        try Poll.until("a token was renewed", holds: { try bench.server.counts().refreshes > 0 })
        try bench.server.forgetAccessTokens()
        try Poll.until("another token is there", holds: { try gateway.get("/me").status == 200 })
        #expect(try gateway.get("/stranger").status == 503)
        #expect(try Daemon.run("logout", "person", "--config", gateway.file).exitStatus == 0)
        gateway.end()

        struct Line: Decodable {
            var event: String
            var credential, binding, origin, address: String?
            var status, uid, expires_at, expires_at_before: Int?
        }
        let lines = try folder.read("audit.log").split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let person = lines.filter { $0.credential == "person" }
        let events = Set(person.map(\.event))
        let wanted: Set = [
            "sign-in-needed", "sign-in-begun", "signed-in", "shown", "renewed", "refused", "sign-out-begun",
            "signed-out",
        ]
        #expect(events.isSuperset(of: wanted), "\(events)")
        #expect(person.first { $0.event == "sign-in-begun" }?.uid == Int(geteuid()))
        let renewal = try #require(person.first { $0.event == "renewed" })
        #expect(try #require(renewal.expires_at) > #require(renewal.expires_at_before))
        let shown = person.filter { $0.event == "shown" }
        #expect(Set(shown.map(\.status)).isSuperset(of: [200, 401]))
        #expect(shown.allSatisfy { $0.binding == "GET /me" && $0.origin == bench.server.url })
        #expect(shown.allSatisfy { $0.address == "127.0.0.1" })
        #expect(lines.contains { $0.credential == "stranger" && $0.event == "renewal-failed" })
        #expect(!lines.contains { $0.credential == "stranger" && $0.event == "shown" })
        var facts = stat()
        #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(folder.read("access.log").contains(#""credential":"person""#))
        for secret in try bench.server.secrets() { #expect(!folder.read("audit.log").contains(secret)) }
    }
}
