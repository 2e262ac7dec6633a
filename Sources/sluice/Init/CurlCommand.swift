internal import SluiceContract

/// What a command line of curl asks for, as far as a page can say it.
struct CurlCommand {
    enum Fault: Error, CustomStringConvertible {
        case noURL, unclosed
        case twoURLs(String)

        var description: String {
            switch self {
            case .noURL: "there is no http:// or https:// address in it"
            case .unclosed: "a quote or a backslash is left open at its end"
            case .twoURLs(let other): "it asks twice, and a page begins with one request: leave '\(other)' out"
            }
        }
    }

    private(set) var url = ""
    private(set) var method: String?
    private(set) var fields: [(name: String, value: String)] = []
    private(set) var user: String?
    private(set) var body: [String] = []
    private(set) var isJSON = false
    private(set) var hasForm = false
    /// Options that say nothing about the request, or nothing that is known here.
    private(set) var ignored: [String] = []
    private var takesBodyAsQuery = false

    /// Options of what curl does with the answer, which nobody misses.
    private static let harmless: Set<String> = [
        "-s", "--silent", "-S", "--show-error", "-sS", "-v", "--verbose", "-i", "--include", "-f", "--fail", "-o",
        "--output", "-w", "--write-out", "--compressed", "--no-progress-meter",
    ]

    /// Options with a value that is not the request's: curl(1).
    private static let withValue: Set<String> = [
        "-o", "--output", "-m", "--max-time", "--connect-timeout", "-w", "--write-out", "--retry", "-x", "--proxy",
        "--cacert", "--cert", "-E", "--key", "--resolve", "-c", "--cookie-jar", "-D", "--dump-header", "--limit-rate",
        "-K", "--config", "--unix-socket", "--interface", "-r", "--range", "-T", "--upload-file", "-e", "--referer",
    ]

    /// - Parameter text: with or without the word `curl`; an address alone will do.
    init(_ text: String) throws(Fault) {
        var words: ArraySlice<String>
        do { words = try ShellWords(text).words[...] } catch { throw .unclosed }
        if words.first == "curl" { words.removeFirst() }
        while let word = words.popFirst() {
            guard word.hasPrefix("-"), word.count > 1 else {
                try take(url: word)
                continue
            }
            var (option, value) = Self.split(word)
            if value == nil, Self.isNeeded(option) { value = words.popFirst() }
            try take(option, value ?? "")
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else { throw .noURL }
        if takesBodyAsQuery {
            url += (url.contains("?") ? "&" : "?") + body.joined(separator: "&")
            body = []
        }
    }

    /// `--request=PUT` and `-XPUT` have their value with them.
    private static func split(_ word: String) -> (option: String, value: String?) {
        if word.hasPrefix("--") {
            guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
            return (String(word[..<equals]), String(word[word.index(after: equals)...]))
        }
        let short = String(word.prefix(2))
        return word.count > 2 && isNeeded(short) ? (short, String(word.dropFirst(2))) : (word, nil)
    }

    private static func isNeeded(_ option: String) -> Bool {
        switch option {
        case "-X", "--request", "-H", "--header", "-d", "--data", "--data-raw", "--data-binary", "--data-ascii",
            "--data-urlencode", "--json", "-u", "--user", "--url", "-b", "--cookie", "-A", "--user-agent", "-F",
            "--form",
            "--oauth2-bearer":
            true
        default: withValue.contains(option)
        }
    }

    private mutating func take(_ option: String, _ value: String) throws(Fault) {
        switch option {
        case "-X", "--request": method = value.uppercased()
        case "-H", "--header": LocalRequest.field(value).map { fields.append($0) }
        case "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode": body.append(value)
        case "--json":
            body.append(value)
            isJSON = true
        case "-u", "--user": user = value
        case "--oauth2-bearer": fields.append(("Authorization", "Bearer \(value)"))
        case "--url": try take(url: value)
        case "-b", "--cookie": fields.append(("Cookie", value))
        case "-A", "--user-agent": fields.append(("User-Agent", value))
        case "-F", "--form": hasForm = true
        case "-G", "--get": takesBodyAsQuery = true
        case "-I", "--head": method = "HEAD"
        default: if !Self.harmless.contains(option) { ignored.append(option) }
        }
    }

    private mutating func take(url word: String) throws(Fault) {
        if !url.isEmpty { throw .twoURLs(word) }
        // curl takes a name alone for an address.
        url = word.contains("://") ? word : "http://\(word)"
    }
}
