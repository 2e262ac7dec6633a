internal import SluiceContract
internal import SluiceHTTP

/// The request of a curl command line, as far as a page can express it. Messages show only the names of its options:
/// any other word may be a secret.
struct CurlCommand {
    enum Fault: Error, CustomStringConvertible {
        case noURL, noScheme, unclosed, twoURLs
        case otherProgram(String)
        case unknown(option: String)
        case file(option: String)
        case scheme(option: String)

        var description: String {
            switch self {
            case .noURL: "there is no http:// or https:// address in it"
            case .noScheme: "an address begins with http:// or https://: give the whole of it"
            case .otherProgram(let name): "'\(name)' is not curl: give a curl command, or the address alone"
            case .unclosed: "a quote or a backslash is left open at its end"
            case .twoURLs: "it asks twice, or has a word that belongs to no option: a page begins with one address"
            case .unknown(let option): "'\(option)' is no option of curl that is known here; leave it out"
            case .file(let option): "'\(option)' reads a file, which is not looked into; give what is in it"
            case .scheme(let option):
                "'\(option)' signs in by a scheme that Sluice does not have: leave it out, and -u with it, for a page "
                    + "without a credential; docs/CREDENTIALS.md has the kinds that there are"
            }
        }
    }

    private(set) var url = ""
    private(set) var method: String?
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var cookies: [(name: String, value: String)] = []
    private(set) var user: String?
    /// Whether user and password are keys that sign the request (--aws-sigv4).
    private(set) var isSignedForAWS = false
    private(set) var body: [String] = []
    private(set) var isJSON = false
    private(set) var hasForm = false
    private(set) var isUpload = false
    /// Whether redirects are followed (-L), and certificates not looked at (-k).
    private(set) var follows = false
    private(set) var isInsecure = false
    /// The Unix socket that is used instead of the address.
    private(set) var socket: String?
    /// Options that do not concern the request, or that a page cannot express.
    private(set) var ignored: [String] = []
    private var query: [String] = []
    private var takesBodyAsQuery = false
    /// Curl takes a name alone as an address; here that holds only after the word `curl`.
    private let mayOmitScheme: Bool

    /// - Parameter text: with or without the word `curl`; an address alone will do.
    init(_ text: String) throws(Fault) {
        var words: ArraySlice<String>
        do { words = try ShellWords(text).words[...] } catch { throw .unclosed }
        if words.first == "$" { words.removeFirst() }
        let isNamed = words.first == "curl" || words.first?.hasSuffix("/curl") == true
        mayOmitScheme = isNamed || words.first?.hasPrefix("-") == true
        if isNamed { words.removeFirst() }
        if !isNamed, words.count > 1, let program = words.first, CurlOptions.otherPrograms.contains(program) {
            throw .otherProgram(program)
        }
        while let word = words.popFirst() {
            if word.hasPrefix("--"), word.count > 2 {
                try take(long: word, &words)
            } else if word.hasPrefix("-"), word.count > 1 {
                try take(cluster: word.dropFirst(), &words)
            } else {
                try take(url: word)
            }
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { throw .noURL }
        if takesBodyAsQuery {
            query += body
            body = []
        }
        if !query.isEmpty {
            let address = url.prefix { $0 != "#" }
            url = address + (address.contains("?") ? "&" : "?") + query.joined(separator: "&")
        }
    }

    // MARK: - Options

    /// `--request=PUT` has its value with it.
    private mutating func take(long word: String, _ words: inout ArraySlice<String>) throws(Fault) {
        let name = String(word.dropFirst(2).prefix { $0 != "=" })
        if CurlOptions.withValue.contains(name) {
            let own = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
            try take(name, own ?? words.popFirst() ?? "", as: "--\(name)")
        } else if CurlOptions.flags.contains(name) {
            try take(name, "", as: "--\(name)")
        } else if CurlOptions.schemes.contains(name) {
            throw .scheme(option: "--\(name)")
        } else {
            // Behind its letters may stand a secret: `--userme:PASSWORD`.
            let letters = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
            throw .unknown(option: "--\(letters)")
        }
    }

    /// `-sSLo file`, `-XPUT`: letter by letter, until one takes the rest, or the next word.
    private mutating func take(cluster: Substring, _ words: inout ArraySlice<String>) throws(Fault) {
        var rest = cluster
        while let letter = rest.popFirst() {
            let name = CurlOptions.short[letter]
            if let name, CurlOptions.withValue.contains(name) {
                return try take(name, rest.isEmpty ? words.popFirst() ?? "" : String(rest), as: "-\(letter)")
            }
            if let name {
                try take(name, "", as: "-\(letter)")
            } else if !CurlOptions.harmlessShort.contains(letter) {
                guard letter.isASCII, letter.isLetter || letter.isNumber else { throw .unknown(option: "-…") }
                ignored.append("-\(letter)")
            }
        }
    }

    private mutating func take(_ option: String, _ value: String, as written: String) throws(Fault) {
        switch option {
        case "request": method = value.uppercased()
        case "header": LocalRequest.field(value).map { take(field: $0) }
        case "data", "data-ascii", "data-binary", "json":
            if value.hasPrefix("@") { throw .file(option: written) }
            body.append(value)
            if option == "json" { isJSON = true }
        case "data-raw": body.append(value)
        case "data-urlencode": body.append(try Self.encoded(value, written))
        case "url-query": query.append(try Self.encoded(value, written))
        case "user": user = value
        case "aws-sigv4": isSignedForAWS = true
        case "oauth2-bearer": fields.append(("Authorization", "Bearer \(value)"))
        case "url": try take(url: value)
        case "cookie" where value.contains("="): take(cookies: value)
        case "user-agent": fields.append(("User-Agent", value))
        case "referer": fields.append(("Referer", value))
        case "form", "form-string": hasForm = true
        case "upload-file": isUpload = true
        case "location": follows = true
        case "insecure": isInsecure = true
        case "unix-socket": socket = value
        case "get": takesBodyAsQuery = true
        // A page's GET answers HEAD as well.
        case "head": break
        default: if !CurlOptions.harmless.contains(option) { ignored.append(written) }
        }
    }

    private mutating func take(field: (name: String, value: String)) {
        if field.name.lowercased() == "cookie" { take(cookies: field.value) } else { fields.append(field) }
    }

    private mutating func take(cookies text: String) {
        for pair in text.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0].drop { $0 == " " })
            cookies.removeAll { $0.name == name }
            if !name.isEmpty { cookies.append((name, parts.count > 1 ? String(parts[1]) : "")) }
        }
    }

    /// `name=content`, `=content` or `content`, as `--data-urlencode` takes it.
    private static func encoded(_ text: String, _ option: String) throws(Fault) -> String {
        guard let mark = text.firstIndex(where: { $0 == "=" || $0 == "@" }) else { return Encoded.query(text) }
        if text[mark] == "@" { throw .file(option: option) }
        let content = Encoded.query(String(text[text.index(after: mark)...]))
        return mark == text.startIndex ? content : text[..<mark] + "=" + content
    }

    private mutating func take(url word: String) throws(Fault) {
        if !url.isEmpty { throw .twoURLs }
        if !word.contains("://"), !mayOmitScheme { throw .noScheme }
        url = word.contains("://") ? word : "http://\(word)"
    }
}
