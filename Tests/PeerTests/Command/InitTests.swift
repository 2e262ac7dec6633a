import Foundation
import Testing

/// `sluice init`: a first page that has no mistakes, and secrets in files of their own.
@Suite struct InitTests {
    /// A curl command, what the page has to say, and the files beside it with what they hold.
    struct Case: Sendable, CustomTestStringConvertible {
        var curl: String
        var lines: [String]
        var files: [String: String] = [:]
        var testDescription: String { curl }
    }

    static let cases = [
        Case(
            curl:
                #"curl -s -H "Authorization: Bearer abc.def" 'https://api.fruit.example/v1/items/7?limit=3&open=true'"#,
            lines: [
                "    url: https://api.fruit.example/v1", "    bearer: {file: fruit-token}", "  GET /items/{id}:",
                "    to: fruit /items/{id}", "      id: Int", "      limit: Int?", "      open: Bool?",
                "  # curl 'http://127.0.0.1:8080/items/7?limit=3&open=true'",
            ], files: ["fruit-token": "abc.def"]),
        Case(
            curl:
                #"curl -XPUT https://fruit.example/trees --json '{"name": "fig"}' -HX-Api-Key:k1 -H 'X-Team: a "b"'"#,
            lines: [
                "  PUT /trees:", "    body: json", "      X-Api-Key: {file: fruit-x-api-key}",
                #"      X-Team: "a \"b\"""#,
                "  # curl -X PUT 'http://127.0.0.1:8080/trees' -H 'Content-Type: application/json' -d …",
            ],
            files: ["fruit-x-api-key": "k1"]),
        Case(
            curl: "curl \\\n  --user me:se:cret --data-urlencode a=1 https://fruit.example:8443/form",
            lines: [
                "    url: https://fruit.example:8443", "  POST /form:", "    credential: fruit-sign-in",
                "    # body: {form: {name: String}} # what a form has to be; else any body passes",
                "    basic: {user: me, password: {file: fruit-password}}",
            ], files: ["fruit-password": "se:cret"]),
        Case(
            curl: "https://fruit.example/find?api_key=s3&filter%5Bname%5D=a+b",
            lines: ["      api_key: {fixed: {file: fruit-api-key}}", #"      "filter[name]": String?"#],
            files: ["fruit-api-key": "s3"]),
        Case(
            curl: "curl -g -X PUT 'https://fruit.example/find?filter[name]=a&x={b}'",
            lines: [
                #"      "filter[name]": String?"#,
                "  # curl -g -X PUT 'http://127.0.0.1:8080/find?filter[name]=a&x={b}'",
            ]),
        Case(
            curl: "curl -G -d limit=3 http://127.0.0.1:9090/v1/fruits",
            lines: ["    url: http://127.0.0.1:9090/v1", "  GET /fruits:"]),
        Case(
            curl: "curl https://fruit.example/a?token=t1 -sSkH 'Authorization: token g1' -b sid=c1 | jq .",
            lines: [
                "    bearer: {file: fruit-token-2}", "      token: {fixed: {file: fruit-token}}",
                "      Cookie: {file: fruit-cookie}",
            ],
            files: ["fruit-token": "t1", "fruit-token-2": "g1", "fruit-cookie": "sid=c1"]),
        Case(
            curl: "curl -H 'Authorization: Basic bWU6c2U6Y3JldA==' --max-redirs 5 -T file https://fruit.example/up",
            lines: ["  PUT /up:", "    basic: {user: me, password: {file: fruit-password}}"],
            files: ["fruit-password": "se:cret"]),
        Case(
            curl: "/usr/bin/curl -G --data-urlencode 'q=hello world' -H $'X-Odd: a\\'b' 'https://fruit.example/find#x'",
            lines: ["  GET /find:", "      q: String?", #"      X-Odd: "a'b""#]),
        Case(
            curl: "https://hooks.fruit.example/services/T0A1/k3JxQ9vR2mZt7LwB4nYc/send",
            lines: [
                "  GET /services/T0A1/send:", "    to: fruit /services/T0A1/{token}/send",
                "      token: {fixed: {file: fruit-token}}",
            ], files: ["fruit-token": "k3JxQ9vR2mZt7LwB4nYc"]),
        Case(
            curl: "curl 'https://fruit.example/baskets/{name}/5/?id=3&tag=a&tag=b' -H X-No: "
                + "-H X-Vault:k3JxQ9vR2mZt7LwB4nYc",
            lines: [
                "  GET /baskets/{name}/{id2}/:", "      name: String", "      id2: Int", "      id: Int?",
                "      tag: [String]", "      X-Vault: {file: fruit-x-vault}",
            ], files: ["fruit-x-vault": "k3JxQ9vR2mZt7LwB4nYc"]),
        Case(
            curl: "curl -kL https://fruit.example/a",
            lines: ["    follow: same-origin ", "    # tls: {verify: false} "]),
        Case(
            curl: "curl --unix-socket /run/fruit.sock http://localhost/v1/a",
            lines: ["    url: unix:/run/fruit.sock:/v1", "  GET /a:"]),
        Case(
            curl: "curl --unix-socket /run/fruit.sock http://fruit.example:81/a",
            lines: ["    url: unix:/run/fruit.sock", "    host: fruit.example:81"]),
        Case(curl: "https://fruit.example", lines: ["  GET /:", "    to: fruit /"]),
        Case(
            curl: #"curl "https://fruit.example/a|b/c%20{/it's?q=it's&%1B%5B31m=1&a%0Ab=2""#,
            lines: [
                #"  "GET /a%7Cb/c%20%7B/it%27s":"#, #"      "\u001B[31m": Int?"#, #"      "a\u000Ab": Int?"#,
                "  # curl 'http://127.0.0.1:8080/a%7Cb/c%20%7B/it%27s?q=it%27s&%1B%5B31m=1&a%0Ab=2'",
            ]),
        Case(
            curl: "curl -H 'X-Next: https://me:pass5word@fruit.example/b' -H 'TE: trailers' "
                + "-H 'X-Last: https://fruit.example/b?api_key=s3cret' -H 'Expect: 100-continue' http://[::1]:8081/a",
            lines: [
                #"    url: "http://[::1]:8081""#, "      X-Next: {file: api-x-next}",
                "      X-Last: {file: api-x-last}",
            ],
            files: [
                "api-x-next": "https://me:pass5word@fruit.example/b",
                "api-x-last": "https://fruit.example/b?api_key=s3cret",
            ]),
    ]

    @Test(arguments: cases)
    func aCommandOfCurlBecomesAPage(_ example: Case) throws {
        let folder = try TemporaryFolder()
        let page = folder.file("my.yaml")
        let command = try Daemon.run("init", page, "--from", example.curl)
        #expect(command.exitStatus == 0, "\(command.errors)")
        let text = folder.read("my.yaml")
        // The folder has a name by chance, in which a short secret may stand, too.
        let output = command.output.replacing(page.dropLast("my.yaml".count), with: "")
        for line in example.lines {
            #expect(text.contains(line + "\n") || text.contains(line + " "), "\(line) in \(text)")
        }
        for (name, value) in example.files {
            #expect(folder.read(name) == value + "\n")
            #expect(!text.contains(value), "a secret is on the page")
            #expect(!output.contains(value))
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let check = try Daemon.run("check", "--skip-ports", "--strict", page)
        #expect(check.exitStatus == 0, "\(check.errors) \(text)")
    }

    /// No page sends another scheme than Bearer with a token from a file.
    @Test func whatAPageSendsOtherwiseIsTold() throws {
        let folder = try TemporaryFolder()
        let curl = "curl -H 'Authorization: Token abc' https://fruit.example/a"
        let command = try Daemon.run("init", folder.file("my.yaml"), "--from", curl)
        let words = "the command sends 'Authorization: Token', and the page 'Authorization: Bearer'"
        #expect(command.exitStatus == 0 && command.errors.contains(words), "\(command.errors)")
        #expect(!command.errors.contains("abc") && folder.read("fruit-token") == "abc\n")
    }

    /// Keys that sign are no password, and the page does not send them as one.
    @Test func aSignatureIsLeftToItsAuthor() throws {
        let folder = try TemporaryFolder()
        let page = folder.file("my.yaml")
        let curl = "curl --aws-sigv4 aws:amz:eu-central-1:s3 -u AKID:s3cret https://fruit.example/a"
        let command = try Daemon.run("init", page, "--from", curl)
        #expect(command.exitStatus == 0, "\(command.errors)")
        #expect(command.errors.contains("write 'aws-sigv4:' under 'credentials:'"), "\(command.errors)")
        #expect(!command.errors.contains("is left out"), "\(command.errors)")
        let text = folder.read("my.yaml")
        #expect(text.contains("    # credential: fruit-keys ") && !text.contains("basic:"), "\(text)")
        #expect(!"\(text)\(command.output)\(command.errors)".contains("s3cret"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("fruit-password")))
        #expect(try Daemon.run("check", "--skip-ports", "--strict", page).exitStatus == 0)
    }

    @Test func anAddressIsAskedForUntilItIsOne() throws {
        let folder = try TemporaryFolder()
        let page = folder.file("my.yaml")
        let answers = "api.fruit.example/v1\\nhttps://api.fruit.example/v1\\n\\nitems\\n"
        let process = try ChildProcess(["/bin/sh", "-c", "printf '\(answers)' | \(Daemon.binary) init \(page)"])
        #expect(try process.waitForExit() == 0, "\(process.errors)")
        #expect(process.errors.contains("an address begins with http:// or https://"), "\(process.errors)")
        #expect(folder.read("my.yaml").contains("    url: https://api.fruit.example/v1\n"))
        let end = try ChildProcess(["/bin/sh", "-c", "echo fruit | \(Daemon.binary) init \(folder.file("b.yaml"))"])
        #expect(try end.waitForExit() == 1)
        #expect(end.errors.contains("there is no page without an address"), "\(end.errors)")
    }

    @Test func threeQuestionsBecomeAPage() throws {
        let folder = try TemporaryFolder()
        let page = folder.file("my.yaml")
        let process = try ChildProcess([
            "/bin/sh", "-c",
            "printf 'https://api.fruit.example/rest/v2/\\n tok \\nbaskets/12\\n' | \(Daemon.binary) init \(page)",
        ])
        #expect(try process.waitForExit() == 0, "\(process.errors)")
        let text = folder.read("my.yaml")
        for line in [
            "    url: https://api.fruit.example/rest/v2\n", "  GET /baskets/{id}:\n",
            "    bearer: {file: fruit-token}\n",
        ] {
            #expect(text.contains(line), "\(text)")
        }
        #expect(folder.read("fruit-token") == "tok\n")
        let mode = try FileManager.default.attributesOfItem(atPath: page)[.posixPermissions] as? Int
        #expect(mode == 0o600, "it may hold what only its owner should know")
        #expect(process.output.contains("sluice serve \(page)"))
        #expect(try Daemon.run("check", "--skip-ports", "--strict", page).exitStatus == 0)
    }

    /// A key in the address that was asked for, and a placeholder in the path.
    @Test func keysOfTheAddressAreNoPartOfThePage() throws {
        let folder = try TemporaryFolder()
        let page = folder.file("my.yaml")
        let process = try ChildProcess([
            "/bin/sh", "-c",
            "printf 'https://api.fruit.example/v1?api_key=s3cret\\n\\nbaskets/{id}\\n' | \(Daemon.binary) init \(page)",
        ])
        #expect(try process.waitForExit() == 0, "\(process.errors)")
        let text = folder.read("my.yaml")
        #expect(text.contains("    url: https://api.fruit.example/v1\n") && text.contains("  GET /baskets/{id}:\n"))
        #expect(text.contains("      api_key: {fixed: {file: fruit-api-key}}\n") && !text.contains("s3cret"), "\(text)")
        #expect(folder.read("fruit-api-key") == "s3cret\n" && !process.output.contains("s3cret"))
        #expect(try Daemon.run("check", "--skip-ports", "--strict", page).exitStatus == 0)
    }

    /// Ctrl-C at the question that is not shown leaves no terminal without its echo.
    @Test func theTerminalGetsItsEchoBack() throws {
        let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(keyboard) }
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), which unlockpt(3) and ptsname(3) are made of.
        var (isLocked, number): (Int32, Int32) = (0, 0)
        let isOpen = ioctl(keyboard, 0x4004_5431, &isLocked) == 0 && ioctl(keyboard, 0x8004_5430, &number) == 0
        try #require(isOpen, "\(errorText())")
        let terminal = "/dev/pts/\(number)"
        func hasEcho() -> Bool {
            var settings = termios()
            tcgetattr(keyboard, &settings)
            return settings.c_lflag & tcflag_t(ECHO) != 0
        }
        let page = try TemporaryFolder().file("my.yaml")
        let process = try ChildProcess(["/bin/sh", "-c", "exec \(Daemon.binary) init \(page) < \(terminal)"])
        defer { process.end() }
        let address = Array("https://fruit.example\n".utf8)
        #expect(write(keyboard, address, address.count) == address.count)
        try Poll.until("it asks in secret", holds: { process.errors.contains("Its token") && !hasEcho() })
        process.signal(SIGINT)
        #expect(try process.waitForExit() == -SIGINT)
        #expect(hasEcho())
    }

    /// What it has written works as it stands.
    @Test func thePageServes() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let folder = try TemporaryFolder()
        let page = folder.file("my.yaml")
        let curl = "curl -H 'Authorization: Bearer demo-token' 'http://127.0.0.1:\(upstream.port)/v1/fruits?limit=2'"
        #expect(try Daemon.run("init", page, "--from", curl).exitStatus == 0)
        let call = try Daemon.run("call", "GET /fruits", "limit=1", "--config", page, "--direct")
        #expect(call.exitStatus == 0, "\(call.errors)")
        #expect(call.output.contains("apple"))
    }

    /// Its value is the daemon's to find, and no file is made.
    @Test func aVariableStaysOne() throws {
        let folder = try TemporaryFolder()
        let page = folder.file("my.yaml")
        let curl = #"curl -H "Authorization: Bearer ${FRUIT_TOKEN}" https://fruit.example/a"#
        #expect(try Daemon.run("init", page, "--from", curl).exitStatus == 0)
        #expect(folder.read("my.yaml").contains("    bearer: {env: FRUIT_TOKEN}\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("fruit-token")))
    }

    @Test func nothingIsOverwritten() throws {
        let folder = try TemporaryFolder()
        let page = try folder.write("mine", to: "my.yaml")
        let command = try Daemon.run("init", page, "--from", "https://fruit.example/a")
        #expect(command.exitStatus == 1 && command.errors.contains("is there already"))
        #expect(folder.read("my.yaml") == "mine")
        try folder.write("old", to: "fruit-token")
        let other = folder.file("other.yaml")
        let second = try Daemon.run("init", other, "--from", "curl --oauth2-bearer new https://fruit.example/a")
        #expect(second.exitStatus == 1 && second.errors.contains("fruit-token is there already"))
        #expect(folder.read("fruit-token") == "old")
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test(arguments: [
        ("curl -H 'a: b'", "no http:// or https:// address"), ("curl 'https://fruit.example", "left open"),
        ("hello", "begins with http:// or https://"), ("http", "begins with http:// or https://"),
        ("wget https://a.example", "'wget' is not curl"), ("s3cret https://a.example", "begins with http://"),
        ("curl --unix-socket a.sock http://a.example", "an absolute path"),
        ("curl --unix-socket /a.sock https://a.example", "plain HTTP over a Unix socket"),
        ("curl https://a.example https://b.example", "asks twice"), ("ftp://fruit.example/a", "no http:// or https://"),
        ("https://me:s3cret@fruit.example/a", "curl -u"), ("curl --userme:s3cret=x https://a.example", "'--userme'"),
        ("curl -H 'Authorization: Digest s3cret' https://a.example", "no 'digest' of Authorization"),
        ("curl --unheard s3cret https://a.example", "'--unheard' is no option"),
        ("curl https://a.example s3cret", "asks twice"), ("curl -us3cret https://a.example", "not whole"),
        ("curl -H \"X-Api-Key: pre$TOKEN s3cret\" https://a.example", "filled in by a shell"),
        ("curl -b 'a=s3cret; b=2' https://a.example", "several cookies"),
        ("curl -d @s3cret https://a.example", "reads a file"),
        ("curl --digest -u me:s3cret https://a.example", "'--digest' signs in by a scheme that Sluice does not have"),
        ("curl -u me:s3cret --ntlm https://a.example", "'--ntlm' signs in by a scheme"),
        ("'https://fruit.example/a\nb: c'", "characters that no address has"),
        ("https://fruit.example:99999/a", "99999 is no port"), ("https://fruit.example:/a", "is no host"),
        ("https://fruit.example/a%zz", "percent-encoding"), ("https://fruit.example/a/../b", "a dot segment"),
        ("https://fruit.example/\(String(repeating: "a", count: 1200))", "too long for a page"),
        ("https://fruit.example/a?api_key=", "fruit-api-key is empty"),
        ("https://fruit.example/a?api_key=s3cret%20s3cret", "fruit-api-key has blanks"),
        ("curl -H 'Authorization: Bearer s3cret\u{1B}' https://a.example", "other characters than visible ASCII"),
        ("curl -X CONNECT https://a.example", "'CONNECT' is no method"), ("curl -X '*' https://a.example", "no method"),
        ("curl -d x -X GET https://a.example", "a GET has no body"),
        ("curl -H X-A:b -H x-a:c https://a.example", "stands twice"),
    ])
    func whatIsNoRequestIsTold(_ from: String, _ words: String) throws {
        let folder = try TemporaryFolder()
        let command = try Daemon.run("init", folder.file("my.yaml"), "--from", from)
        #expect(command.exitStatus == 1)
        #expect(command.errors.contains(words), "\(command.errors)")
        #expect(!command.errors.contains("s3cret"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("my.yaml")))
    }

    @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/etc/sluice/sluice.yaml")))
    func aMissingPageNamesTheCommandThatMakesOne() throws {
        let command = try Daemon.run("serve")
        #expect(command.exitStatus == 2)
        #expect(command.errors.contains("sluice init"), "\(command.errors)")
    }
}
