internal import ArgumentParser

/// `sluice init`: the first page.
struct InitVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a first configuration file: three questions, or a command of curl.",
        discussion: """
            A token, a password or a key goes into a file of its own beside the page, which only you can read. Files \
            that are there already are left alone. A variable in the command stays one on the page: {env: TOKEN}.

              sluice init
              sluice init --from -                       # then paste a command of curl, and end with Ctrl-D
              sluice init --from 'curl -H "Authorization: Bearer $TOKEN" https://api.example/v1/items?limit=3'
              sluice serve sluice.yaml

            Exit codes: 0 the page is written, 1 it is not.
            """)

    @Argument(help: "The file to write.", completion: .file(extensions: ["yaml", "yml"]))
    var file = "sluice.yaml"

    @Option(
        help: ArgumentHelp(
            "A command of curl, in quotes, or the address of an API; - reads it from standard input.",
            valueName: "command"))
    var from: String?

    func run() throws {
        if NewFile.isThere(file) {
            throw Say.failure("sluice: \(file) is there already; name another file: sluice init FILE")
        }
        do {
            let request = try from.map(read) ?? ask()
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

    private func ask() throws -> FirstRequest {
        let url = Question.ask("The address of the API, such as https://api.example/v1: ")
        guard let url, !url.isEmpty else {
            throw Say.failure("sluice: there is no page without an address; sluice init --from 'curl …' asks nothing")
        }
        let base = try FirstRequest(url: url)
        let token = Question.askSecretly("Its token, which is not shown (nothing where it wants none): ") ?? ""
        let path = Question.ask("A path of it to begin with [/items]: ") ?? ""
        let slash = path.isEmpty ? "/items" : path.hasPrefix("/") ? path : "/\(path)"
        // What was given as the address of the API is its base, whatever it looks like.
        let whole = url.hasSuffix("/") ? String(url.dropLast()) : url
        var request = try FirstRequest(url: base.origin + slash)
        request.basePath = String(whole.dropFirst(base.origin.count)) + request.basePath
        request.name = base.name
        if !token.isEmpty { request.authentication = .bearer(.init(file: "\(base.name)-token", value: token)) }
        return request
    }

    private func write(_ request: FirstRequest) throws {
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
            let command = from == nil ? "sluice init" : "sluice init --from"
            try NewFile.write(FirstPage(request, madeBy: command).text, to: file, mode: 0o644)
        } catch {
            // No secret lies about without the page that needs it.
            for file in made { NewFile.remove(file) }
            throw error
        }
        var words = "\(file) is written"
        let names = request.secrets.map { slash + $0.file }
        if !names.isEmpty { words += "; what is secret stands in \(names.joined(separator: ", ")), for you alone" }
        print(
            """
            \(words). Next:

                sluice check \(file)
                sluice serve \(file)
                curl 'http://127.0.0.1:8080\(request.sample)'
            """)
    }
}
