internal import SluiceConfig
internal import SluiceContract
internal import SluiceFiles

/// A commented page with one binding, as text.
struct FirstPage {
    private let request: FirstRequest
    private let lines: [String]

    /// - Parameter command: the command that made the page, for the comment at its top.
    init(_ request: FirstRequest, madeBy command: String) {
        self.request = request
        lines =
            (FileKind(path: Self.schema) == nil ? [] : ["# yaml-language-server: $schema=\(Self.schema)"]) + [
                "# Made by `\(command)`. Check it with `sluice check`, see the defaults with",
                "# `sluice check --explain`; all keys are in sluice.yaml(5) and docs/CONFIGURATION.md.",
                "",
                "# Where programs on this machine reach Sluice.",
                "listen: 127.0.0.1:8080",
                "",
                "# Where `sluice tail`, `top`, `cache` and `reload` reach the daemon; its folder has to be there,",
                "# and the daemon's.",
                (AdminFolder.hasUsualFolder ? "" : "# ") + "admin: \(AdminFolder.usualSocket)",
                "",
            ] + Self.upstream(request) + [""] + Self.types + Self.binding(request)
    }

    /// Where a package puts what editors check a page with.
    private static let schema = "/usr/share/sluice/sluice.schema.json"

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// The first mistake that `sluice check` would find; nil for none.
    var mistake: Mistake? {
        get throws {
            let name = "<page>"
            var reader = ConfigurationReader(path: name, secrets: .ignored)
            reader.surroundings.contents = { [bytes = Array(text.utf8), other = reader.surroundings.contents] path in
                path == name ? .success(bytes) : other(path)
            }
            return try reader.read().mistakes.first
        }
    }

    private static func upstream(_ request: FirstRequest) -> [String] {
        var lines = [
            "# The API. A token stands in a file that only you can read, and never reaches a client.",
            "upstreams:",
            "  \(request.name):",
            "    url: \(quoted(address(request)))",
        ]
        if request.socket != nil, host(request) != "localhost" { lines.append("    host: \(quoted(host(request)))") }
        if request.follows { lines.append("    follow: same-origin          # redirects that stay with the API") }
        if !request.isVerified, request.origin.hasPrefix("https://") {
            lines.append("    # tls: {verify: false}       # as -k: anyone on the way can then read the token")
        }
        switch request.authentication {
        case .none: lines.append("    # bearer: {file: \(request.name)-token}")
        case .bearer(let secret): lines.append("    bearer: \(secret.source)")
        case .basic: lines.append("    credential: \(request.name)-sign-in")
        case .signedForAWS:
            lines.append("    # credential: \(request.name)-keys     # with 'aws-sigv4:' under 'credentials:'")
        }
        lines.append("    # error: {message: error.message, code: error.code}     # where it keeps what went wrong")
        let fields =
            request.fields.map { "      \(quoted($0.name)): \(quoted($0.value))" }
            + request.secretFields.map { "      \(quoted($0.name)): \($0.secret.source)" }
        if !fields.isEmpty { lines += ["    headers:"] + fields }
        if case .basic(let user, let secret) = request.authentication {
            lines += [
                "", "credentials:", "  \(request.name)-sign-in:",
                "    basic: {user: \(quoted(user, isInFlow: true)), password: \(secret.source)}",
            ]
        }
        return lines
    }

    private static func address(_ request: FirstRequest) -> String {
        guard let socket = request.socket else { return request.origin + request.basePath }
        return "unix:\(socket)" + (request.basePath.isEmpty ? "" : ":\(request.basePath)")
    }

    /// Host and port.
    private static func host(_ request: FirstRequest) -> String {
        String(request.origin.drop { $0 != "/" }.drop { $0 == "/" })
    }

    private static let types = [
        "# Types of your own, in Swift notation; with them an answer is checked, and drift is told by its JSON path.",
        "# types:",
        "#   Item: {id: Int, title: String, closed: Date?}",
        "",
    ]

    private static func binding(_ request: FirstRequest) -> [String] {
        var lines = [
            "# What programs can ask for: a method and a path here, an upstream and a path there.",
            "bindings:",
            "  # \(example(request))",
            "  \(quoted("\(request.method) \(request.path)")):",
            "    to: \(quoted("\(request.name) \(request.upstreamPath)"))",
        ]
        let parameters =
            request.parameters.map { "      \(quoted($0.name)): \($0.type)" }
            + request.secretParameters.map {
                "      \(quoted($0.name)): {fixed: \($0.secret.source)}"
            }
        if !parameters.isEmpty { lines += ["    params:"] + parameters }
        switch request.body {
        case .none: break
        case .json: lines.append("    body: json                     # or a type, which is checked")
        case .form: lines.append("    # body: {form: {name: String}} # what a form has to be; else any body passes")
        case .multipart: lines.append("    body: multipart")
        // Curl's content type can be anything but that of 'raw'.
        case .anything: break
        }
        lines += [
            "    # parent: data.items           # the wanted part of the answer",
            "    # value: [Item]                # its type",
        ]
        return lines
    }

    /// A command that tries the page.
    static func example(_ request: FirstRequest) -> String {
        let sends =
            switch request.body {
            case .none: ""
            case .json: " -H 'Content-Type: application/json' -d …"
            case .form: " -d …"
            case .multipart: " -F …"
            case .anything: " --data-binary …"
            }
        let method =
            request.method == "GET" || request.method == "POST" && !sends.isEmpty ? "" : "-X \(request.method) "
        // Curl would take brackets and braces for several addresses in one.
        let plainly = request.sample.contains { "[]{}".contains($0) } ? "-g " : ""
        return "curl \(plainly)\(method)'http://127.0.0.1:8080\(request.sample)'\(sends)"
    }

    /// As YAML reads it as a text: plain where nothing in it means something else (YAML 1.2 §7.3.3).
    /// - Parameter isInFlow: whether brackets and braces around it mean something.
    private static func quoted(_ text: String, isInFlow: Bool = false) -> String {
        let isPlain =
            text.first?.isLetter == true
            && text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || " -_./:?=+".contains($0) || !isInFlow && "{}".contains($0))
            }
            && !text.contains(": ") && !text.contains(" #") && text.last != ":" && text.last != " "
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        if isPlain { return text }
        let inside = text.unicodeScalars.map { scalar -> String in
            switch scalar.value {
            case 0x22, 0x5C: return "\\\(scalar)"
            // Line ends, characters outside of YAML (§5.1), and control characters for terminals.
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE, 0xFFFF: return escape(scalar)
            default: return String(scalar)
            }
        }
        return "\"" + inside.joined() + "\""
    }

    /// YAML 1.2 §5.7.
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
