internal import SluiceContract
internal import SluiceHTTP
internal import SluiceSigning

/// The request that a new page begins with, in the terms of the page. Secrets are apart, for files of their own.
struct FirstRequest {
    /// A secret, and the name of the file that will hold it.
    struct Secret {
        var file: String
        var value: String
        /// The variable that the command reads it from, if any: then there is no file.
        var variable: String?

        /// As the page names its source.
        var source: String { variable.map { "{env: \($0)}" } ?? "{file: \(file)}" }
    }

    /// How the API authenticates its clients.
    enum Authentication {
        case none
        case bearer(Secret)
        case basic(user: String, Secret)
        /// By a signature with keys of AWS, which its author has to write.
        case signedForAWS
    }

    enum Body {
        case none, json, form, multipart, anything
    }

    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// The API's scheme, host and port.
    var origin = ""
    /// The common beginning of its paths; may be empty.
    var basePath = ""
    var name = "api"
    var method = "GET"
    /// Below the base path, with placeholders; as clients ask for it.
    var path = "/"
    /// The path at the upstream.
    var upstreamPath = "/"
    var placeholders: [String] = []
    /// As the page declares them.
    var parameters: [(name: String, type: String)] = []
    /// Fixed fields that are no secret.
    var fields: [(name: String, value: String)] = []
    var secretFields: [(name: String, secret: Secret)] = []
    var secretParameters: [(name: String, secret: Secret)] = []
    var authentication = Authentication.none
    var body = Body.none
    /// The target as a client may ask for it, to try the page with.
    var sample = "/"
    /// Guesses about the request, for the user to check.
    var guesses: [String] = []
    /// What the page does differently, because pages cannot express it.
    var differences: [String] = []
    /// The API's Unix socket, if any; the origin then only gives the host.
    var socket: String?
    /// Whether redirects are followed.
    var follows = false
    /// Whether certificates are verified.
    var isVerified = true

    /// The secrets that are written to files.
    var secrets: [Secret] { sources.filter { $0.variable == nil } }

    private var sources: [Secret] {
        let own: [Secret] =
            switch authentication {
            case .none, .signedForAWS: []
            case .bearer(let secret), .basic(_, let secret): [secret]
            }
        return own + secretFields.map(\.secret) + secretParameters.map(\.secret)
    }

    /// - Parameter given: the upstream's name, in place of one made of the host.
    init(url: String, name given: String? = nil) throws(Fault) {
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else {
            throw Fault(description: "an address begins with http:// or https://")
        }
        let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") }) else {
            let isExpanded = rest.contains(ShellWords.expansion)
            throw Fault(
                description: isExpanded
                    ? "the address has a variable that a shell would fill in: put its value there"
                    : "the address has characters that no address has; encode them with %")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@") else {
            throw Fault(
                description:
                    "the address has more than a host; give user and password as --from 'curl -u USER:PASSWORD …'"
            )
        }
        origin = scheme + authority
        name = given ?? Self.name(of: String(authority))
        let target = rest.dropFirst(authority.count)
        let query = target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
        let path = target.prefix { $0 != "?" }
        // A key of YAML has 1024 characters at most (YAML 1.2 §7.4.2), and is longer where parts are encoded.
        guard path.utf8.count <= 900 else {
            throw Fault(description: "the path is too long for a page: give a shorter one, and change it there")
        }
        try take(path: path, besides: Self.names(in: query))
        try take(query: query)
    }

    /// A secret with a unique file name, or with the variable that it comes from.
    func secret(_ suffix: String, _ value: String) throws(Fault) -> Secret {
        var file = "\(name)-\(suffix)"
        var number = 2
        while sources.contains(where: { $0.file == file }) {
            file = "\(name)-\(suffix)-\(number)"
            number += 1
        }
        guard value.contains(ShellWords.expansion) else {
            guard !value.isEmpty else {
                throw Fault(description: "what is to stand in \(file) is empty: give its value, or leave it out")
            }
            // A page takes no other (docs/CREDENTIALS.md).
            guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
                throw Fault(
                    description: "what is to stand in \(file) has blanks or other characters than visible ASCII, which"
                        + " no secret of a page may hold: give it without them, or leave it out")
            }
            return Secret(file: file, value: value)
        }
        var variable = value.dropFirst()
        if variable.first == "{", variable.last == "}" { variable = variable.dropFirst().dropLast() }
        let isName =
            !variable.isEmpty && variable.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard value.first == ShellWords.expansion, isName else {
            throw Fault(
                description: "a part of what is secret is filled in by a shell: put the value there, or one variable"
                    + " for the whole")
        }
        return Secret(file: file, value: "", variable: String(variable))
    }

    /// The request of a curl command.
    init(_ curl: CurlCommand) throws(Fault) {
        try self.init(url: curl.url)
        let usual = curl.isUpload ? "PUT" : curl.body.isEmpty && !curl.hasForm ? "GET" : "POST"
        method = curl.method == "HEAD" ? "GET" : curl.method ?? usual
        let isMethod =
            !method.isEmpty
            && method.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        guard isMethod else {
            throw Fault(description: "what -X names is no method, such as GET: give one, or leave it out")
        }
        if curl.isUpload {
            body = .anything
        } else if curl.hasForm {
            body = .multipart
        } else if let first = curl.body.first {
            let media = curl.fields.first { $0.name.lowercased() == "content-type" }?.value.lowercased()
            let looksLikeJSON = first.first.map { "{[".contains($0) } ?? false
            let isForm = media?.hasPrefix("application/x-www-form-urlencoded") ?? !looksLikeJSON
            // 'body: json' takes that type alone, and not merge-patch+json, say.
            let isJSON = curl.isJSON || media.map { $0.hasPrefix("application/json") } ?? looksLikeJSON
            body = isJSON ? .json : isForm ? .form : .anything
        }
        if method == "GET", body != .none {
            throw Fault(description: "a GET has no body here: leave -X out, or give -G for parameters in the address")
        }
        (follows, isVerified) = (curl.follows, !curl.isInsecure)
        if let socket = curl.socket { try take(socket: socket) }
        for field in curl.fields { try take(field) }
        if curl.cookies.count > 1 {
            throw Fault(
                description:
                    "several cookies have blanks between them, which no secret of a page may hold: give the one"
                    + " that signs in")
        }
        if let cookie = curl.cookies.first {
            secretFields.append(("Cookie", try secret("cookie", "\(cookie.name)=\(cookie.value)")))
        }
        if curl.isSignedForAWS {
            takeSignature()
        } else if let user = curl.user {
            try take(user: user)
        }
    }

    /// The keys are no password, and only their author knows for which service and region they sign.
    private mutating func takeSignature() {
        // Curl does not sign a request with an Authorization of its own.
        guard case .none = authentication else { return }
        authentication = .signedForAWS
        differences.append(
            "the command signs with keys of AWS (--aws-sigv4), and the page has no credential yet: write "
                + "'aws-sigv4:' under 'credentials:', and 'credential:' at the upstream (docs/CREDENTIALS.md)")
    }

    private mutating func take(socket path: String) throws(Fault) {
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw Fault(description: "--unix-socket wants an absolute path without blanks")
        }
        guard origin.hasPrefix("http://") else {
            throw Fault(description: "a page speaks plain HTTP over a Unix socket: give the address with http://")
        }
        socket = path
    }

    /// A bearer token that was asked for.
    mutating func take(token: String) throws(Fault) { authentication = .bearer(try secret("token", token)) }

    private mutating func take(user: String) throws(Fault) {
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, !parts[1].isEmpty, !parts[0].contains(ShellWords.expansion) else {
            throw Fault(description: "the sign-in is not whole: give it as -u 'user:password'")
        }
        authentication = .basic(user: parts[0], try secret("password", parts[1]))
    }

    /// `github` of `api.github.com`.
    private static func name(of authority: String) -> String {
        let host = authority.lowercased().prefix { $0 != ":" }
        var labels = host.split(separator: ".").map(String.init)
        if labels.count > 1, labels.last?.allSatisfy(\.isNumber) == true { return "api" }
        if labels.count > 1 { labels.removeLast() }
        labels.removeAll { $0 == "www" || $0 == "api" || $0.count < 3 }
        let name = (labels.last ?? "api").filter { $0.isLetter || $0.isNumber || $0 == "-" }
        return name.first?.isLetter == true ? name : "api"
    }

    private mutating func take(_ field: (name: String, value: String)) throws(Fault) {
        let lower = field.name.lowercased()
        switch lower {
        // `X-Name:` removes a field that curl would send by itself.
        case _ where field.value.isEmpty: break
        case "authorization":
            try take(authorization: field.value)
        // Written by Sluice, or sent by each client.
        case "host", "content-length", "content-type", "accept-encoding", "via": break
        // For one hop only (RFC 9110 §7.6.1, §10.1.1, §11.7.2).
        case "connection", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive", "expect",
            "proxy-connection", "proxy-authorization":
            break
        case "accept" where field.value == "*/*" || field.value == "application/json": break
        // For this one request only.
        case "if-none-match", "if-match", "if-modified-since", "if-unmodified-since", "if-range", "range", "origin":
            break
        case _ where lower.hasPrefix("sec-"): break
        case _ where Self.isSecret(field.name):
            secretFields.append((field.name, try secret(Self.word(field.name), field.value)))
        case _ where RandomText.matches(field.value) || Self.hasSecret(address: field.value):
            let secret = try secret(Self.word(field.name), field.value)
            secretFields.append((field.name, secret))
            guesses.append("the value of \(field.name) looks like a secret, and stands in \(secret.file)")
        case _ where field.value.contains("${"):
            throw Fault(description: "the field \(field.name) has '${', which a page would fill in")
        case _ where field.value.contains(ShellWords.expansion):
            throw Fault(description: "the field \(field.name) has a variable that a shell would fill in")
        default: if LocalRequest.isValid(field) { fields.append(field) }
        }
    }

    /// RFC 9110 §11.6.2: a scheme and what it shows.
    private mutating func take(authorization value: String) throws(Fault) {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Fault(description: "Authorization has no scheme, such as Bearer") }
        switch parts[0].lowercased() {
        case "bearer": authentication = .bearer(try secret("token", parts[1]))
        // GitHub, for one, takes its tokens under either name.
        case "token":
            authentication = .bearer(try secret("token", parts[1]))
            differences.append(
                "the command sends 'Authorization: \(parts[0])', and the page 'Authorization: Bearer', the one scheme "
                    + "that tokens of a page have: not every API takes both")
        case "basic":
            let decoded = Base64.decode(Array(parts[1].utf8))
            guard let user = decoded.flatMap({ String(validating: $0, as: UTF8.self) }) else {
                throw Fault(description: "what Authorization shows as Basic is none; give it as -u 'user:password'")
            }
            try take(user: user)
        case let scheme:
            throw Fault(
                description:
                    "a page has no '\(scheme)' of Authorization; docs/CREDENTIALS.md has the kinds of credentials")
        }
    }

    static func isSecret(_ name: String) -> Bool { SensitiveName.matches(field: name) }

    /// Whether it is an address with a user in front of its host, or with a key in its query.
    static func hasSecret(address text: String) -> Bool {
        text.contains("://") && Array(text.utf8).withUnsafeBytes { QueryMask.text($0) } != text
    }

    static func word(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
    }
}
