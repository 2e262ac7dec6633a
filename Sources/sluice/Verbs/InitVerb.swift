internal import ArgumentParser
internal import SluiceConfig
internal import Glibc

/// `sluice init`: the first page.
struct InitVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "init",
        abstract: "Write a first configuration file: three questions, or a curl command.",
        discussion: """
            A token, a password or a key goes into a file of its own beside the page. Page and files are for you alone \
            (0600). Files that are there already are left alone. A variable in the command stays one on the page: \
            {env: TOKEN}.

              sluice init
              sluice init --from -                       # then paste a curl command, and end with Ctrl-D
              sluice init --from 'curl -H "Authorization: Bearer $TOKEN" https://api.example/v1/items?limit=3'
              sluice serve sluice.yaml

            Exit codes: 0 the page is written, 1 it is not.
            """)

    @Argument(help: "The file to write.", completion: .file(extensions: ["yaml", "yml"]))
    var file = NewFile.usualName

    @Option(
        help: ArgumentHelp(
            "A curl command, in quotes, or the address of an API; - reads it from standard input.",
            valueName: "command"))
    var from: String?

    func run() throws {
        if NewFile.isThere(file) {
            throw Say.failure("sluice: \(file) is there already; name another file: sluice init FILE")
        }
        do {
            let request = try from.map(read) ?? ask()
            for guess in request.guesses { Say.error("sluice: \(guess); change the page where that is wrong", .note) }
            for difference in request.differences { Say.error("sluice: \(difference)", .warning) }
            try write(request)
        } catch let code as ExitCode {
            throw code
        } catch {
            throw Say.failure("sluice: \(error)")
        }
    }

    private func read(_ from: String) throws -> FirstRequest {
        guard from == "-" else { return try Self.request(from) }
        var lines: [String] = []
        while let line = readLine(strippingNewline: false) { lines.append(line) }
        return try Self.request(lines.joined())
    }

    private static func request(_ text: String) throws -> FirstRequest {
        let curl = try CurlCommand(text)
        for option in curl.ignored {
            Say.error("sluice: '\(option)' of the command says nothing about the page, and is left out", .note)
        }
        return try FirstRequest(curl)
    }

    /// Until it is one.
    private func askAddress() throws -> (url: String, request: FirstRequest) {
        while let url = Question.ask("The address of the API, such as https://api.example/v1: "), !url.isEmpty {
            do throws(FirstRequest.Fault) {
                return (url, try FirstRequest(url: url))
            } catch {
                Say.error("sluice: \(error)", .note)
            }
        }
        throw Say.failure("sluice: there is no page without an address; sluice init --from 'curl …' asks nothing")
    }

    private func ask() throws -> FirstRequest {
        let (url, base) = try askAddress()
        let token = Question.askSecretly("Its token, which is not shown (nothing where it wants none): ") ?? ""
        let path = Question.ask("A path of it to begin with [/items]: ") ?? ""
        let slash = path.isEmpty ? "/items" : path.hasPrefix("/") ? path : "/\(path)"
        // What was given as the address of the API is its base, whatever it looks like.
        let whole = url.prefix { $0 != "?" && $0 != "#" }.dropFirst(base.origin.count)
        guard !whole.split(separator: "/").contains(where: { RandomText.matches(String($0)) }) else {
            throw Say.failure(
                "sluice: the address looks as if it had a secret in it; sluice init --from - takes it whole")
        }
        // Its query, with the key that it may have, is that of the first binding.
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        let separator = query.isEmpty ? "" : slash.contains("?") ? "&" : "?"
        var request = try FirstRequest(url: base.origin + slash + separator + query, name: base.name)
        request.basePath = (whole.hasSuffix("/") ? whole.dropLast() : whole) + request.basePath
        if !token.isEmpty { try request.take(token: token) }
        return request
    }

    private func write(_ request: FirstRequest) throws {
        let page = FirstPage(request, madeBy: from == nil ? "sluice init" : "sluice init --from")
        if let mistake = try page.mistake {
            let words = (mistake.message + (mistake.hint.map { "; \($0)" } ?? "")).printable
            throw FirstRequest.Fault(
                description: "no page can be made of that: \(words); change it, or write the page by hand"
                    + " (docs/CONFIGURATION.md)")
        }
        let slash = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        for secret in request.secrets where NewFile.isThere(slash + secret.file) {
            throw Say.failure(
                "sluice: \(slash + secret.file) is there already; move it away, or write the page elsewhere")
        }
        var made: [String] = []
        do {
            for secret in request.secrets {
                try NewFile.write(secret.value + "\n", to: slash + secret.file, mode: 0o600)
                made.append(slash + secret.file)
            }
            try NewFile.write(page.text, to: file, mode: 0o600)
        } catch {
            // No secret lies about without the page that needs it.
            for file in made { NewFile.remove(file) }
            throw error
        }
        var words = "\(file) is written"
        let names = request.secrets.map { slash + $0.file }
        if !names.isEmpty { words += "; what is secret stands in \(names.joined(separator: ", ")), for you alone" }
        Say.print(
            """
            \(words). Next:

                sluice check \(file)
                sluice serve \(file)
                \(FirstPage.example(request))
            """)
        // The service reads neither: docs/OPERATIONS.md.
        if geteuid() == 0, SystemCheckup.hasUnit { Say.print("\nFor the service: " + Self.handover(file, names)) }
    }

    /// What puts page and secrets where the service reads them.
    private static func handover(_ page: String, _ secrets: [String]) -> String {
        let names = secrets.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        // Not every release of systemd comes with the folder.
        var lines = names.isEmpty ? [] : ["install -d -m 0700 /etc/credstore"]
        lines += zip(secrets, names).map { "install -m 0600 \($0) /etc/credstore/\($1)" }
        if page != ConfigurationOption.defaultPath {
            lines.append("install -m 0644 \(page) \(ConfigurationOption.defaultPath)")
        } else {
            lines.append("chmod 0644 \(page)")
        }
        // The unit makes the folder of the admin socket.
        lines.append("sed -i 's|^[# ]*admin: .*|admin: /run/sluice/admin.sock|' \(ConfigurationOption.defaultPath)")
        if !names.isEmpty {
            let loads = names.map { "LoadCredential=\($0)\\n" }.joined()
            lines.append(
                "printf '[Service]\\n\(loads)' | install -D -m 0644 /dev/stdin "
                    + "/etc/systemd/system/sluice.service.d/token.conf")
        }
        lines += ["systemctl daemon-reload", "systemctl restart sluice"]
        // Under sudo the lines are for the user who has run it.
        if getenv("SUDO_USER") != nil { lines = lines.map(asRoot) }
        return (["page and secrets have to be where it may read them:", ""] + lines.map { "    " + $0 })
            .joined(separator: "\n")
    }

    /// The command under sudo; of a pipeline, the last one.
    private static func asRoot(_ line: String) -> String {
        let commands = line.split(separator: "| ")
        return (commands.dropLast() + ["sudo " + commands[commands.count - 1]]).joined(separator: "| ")
    }
}
