internal import SluiceContract
internal import SluiceHTTP

/// The request that a new page begins with, in the terms of the page. Secrets are apart, for files of their own.
struct FirstRequest {
    /// A secret, and the name of the file that will hold it.
    struct Secret {
        var file: String
        var value: String
    }

    /// How the API knows who asks.
    enum Authentication {
        case none
        case bearer(Secret)
        case basic(user: String, Secret)
    }

    enum Body {
        case none, json, form, multipart, anything
    }

    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    /// Where the API is: scheme, host and port.
    var origin = ""
    /// What all of its paths begin with; may be empty.
    var basePath = ""
    var name = "api"
    var method = "GET"
    /// Below the base path, with placeholders.
    var path = "/"
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

    var secrets: [Secret] {
        let own: [Secret] =
            switch authentication {
            case .none: []
            case .bearer(let secret), .basic(_, let secret): [secret]
            }
        return own + secretFields.map(\.secret) + secretParameters.map(\.secret)
    }

    init(url: String) throws(Fault) {
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else {
            throw Fault(description: "'\(url)' is no address; it begins with http:// or https://")
        }
        let rest = url.dropFirst(scheme.count).prefix { $0 != "#" }
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") }) else {
            throw Fault(description: "'\(url)' has characters that no address has; encode them with %")
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@") else {
            throw Fault(description: "the address has no host alone; give user and password by -u")
        }
        origin = scheme + authority
        name = Self.name(of: String(authority))
        let target = rest.dropFirst(authority.count)
        take(path: target.prefix { $0 != "?" })
        if let question = target.firstIndex(of: "?") { take(query: target[target.index(after: question)...]) }
    }

    /// What curl was to ask for.
    init(_ curl: CurlCommand) throws(Fault) {
        try self.init(url: curl.url)
        method = curl.method ?? (curl.body.isEmpty && !curl.hasForm ? "GET" : "POST")
        if curl.hasForm {
            body = .multipart
        } else if let first = curl.body.first {
            let media = curl.fields.first { $0.name.lowercased() == "content-type" }?.value.lowercased()
            let looksLikeJSON = first.first.map { "{[".contains($0) } ?? false
            let isForm = media?.hasPrefix("application/x-www-form-urlencoded") ?? !looksLikeJSON
            let isJSON = curl.isJSON || looksLikeJSON || media?.contains("json") == true
            body = isJSON ? .json : isForm ? .form : .anything
        }
        for field in curl.fields { take(field) }
        if let user = curl.user {
            let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let secret = Secret(file: "\(name)-password", value: parts.count > 1 ? parts[1] : "")
            authentication = .basic(user: parts[0], secret)
        }
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

    /// `/v1` and the like belong to the upstream; numbers and identifiers are placeholders.
    private mutating func take(path: Substring) {
        var segments = path.split(separator: "/").map(String.init)
        while let first = segments.first, segments.count > 1 || Self.isVersion(first), Self.isBase(first) {
            basePath += "/" + segments.removeFirst()
        }
        var template: [String] = []
        for segment in segments {
            guard Self.isIdentifier(segment) else {
                template.append(segment.contains(where: { "{}*".contains($0) }) ? Encoded.query(segment) : segment)
                continue
            }
            let placeholder = placeholders.isEmpty ? "id" : "id\(placeholders.count + 1)"
            placeholders.append(placeholder)
            parameters.append((placeholder, segment.allSatisfy(\.isNumber) && segment.count < 16 ? "Int" : "String"))
            template.append("{\(placeholder)}")
        }
        path.isEmpty ? () : (self.path = "/" + template.joined(separator: "/"))
        sample = "/" + segments.joined(separator: "/")
    }

    private static func isVersion(_ segment: String) -> Bool {
        segment.first == "v" && segment.count < 5 && segment.dropFirst().first?.isNumber == true
    }

    private static func isBase(_ segment: String) -> Bool {
        segment == "api" || segment == "rest" || isVersion(segment)
    }

    private static func isIdentifier(_ segment: String) -> Bool {
        if segment.allSatisfy({ $0.isASCII && $0.isNumber }) { return true }
        return segment.count == 36 && segment.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    private mutating func take(query: Substring) {
        var kept: [Substring] = []
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { part in Array(part.utf8).withUnsafeBytes { Encoded.decoded($0) } }
            guard let name = decoded.first ?? nil, !name.isEmpty else { continue }
            let value = (decoded.count > 1 ? decoded[1] : nil) ?? ""
            if parameters.contains(where: { $0.name == name }) || secretParameters.contains(where: { $0.name == name })
            {
                continue
            }
            if Self.isSecret(name) {
                secretParameters.append((name, Secret(file: "\(self.name)-\(Self.word(name))", value: value)))
                continue
            }
            kept.append(pair)
            let isInt = !value.isEmpty && value.count < 16 && value.allSatisfy { $0.isASCII && $0.isNumber }
            parameters.append((name, isInt ? "Int?" : value == "true" || value == "false" ? "Bool?" : "String?"))
        }
        if !kept.isEmpty { sample += "?" + kept.joined(separator: "&") }
    }

    private mutating func take(_ field: (name: String, value: String)) {
        let lower = field.name.lowercased()
        switch lower {
        case "authorization":
            guard field.value.lowercased().hasPrefix("bearer ") else { return }
            authentication = .bearer(Secret(file: "\(name)-token", value: String(field.value.dropFirst(7))))
        // Written by Sluice, or said by each client.
        case "host", "content-length", "content-type", "connection", "accept-encoding", "via", "transfer-encoding":
            break
        case "accept" where field.value == "*/*" || field.value == "application/json": break
        case _ where lower == "cookie" || Self.isSecret(field.name):
            secretFields.append((field.name, Secret(file: "\(name)-\(Self.word(field.name))", value: field.value)))
        default: if LocalRequest.isValid(field) { fields.append(field) }
        }
    }

    private static func isSecret(_ name: String) -> Bool { SensitiveName.matches(field: name) }

    private static func word(_ name: String) -> String {
        String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
    }
}
