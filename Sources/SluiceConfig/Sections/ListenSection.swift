import SluiceContract
import SluiceRules

/// `listen:`: one listener or a list; an address alone, or a mapping with TLS and permissions.
enum ListenSection {
    static let section = Section(
        name: "listener", summary: "A listener with more than an address",
        keys: [
            .required("address", .text(), "127.0.0.1:8080, [::1]:8080 or unix:/path"),
            .init("tls", .section(ServerTLSSection.section), "Serves HTTPS with these PEM files"),
            .init("http2", .flag, default: "true", "Speaks HTTP/2 beside HTTP/1.1"),
            .init("allow", Grants.shape, default: "any", "Who may use it"),
            .init("mode", .text(pattern: "^0?[0-7]{3}$"), default: "0660", "Permissions of a Unix socket, octal"),
        ])

    static let shape = Shape.oneOrMany(.either([.text(), .section(section)]))

    static func read(_ node: SourceNode, _ context: ReadingContext) -> [ListenerDeclaration?] {
        context.items(node).map { listener($0, context) }
    }

    private static func listener(_ node: SourceNode, _ context: ReadingContext) -> ListenerDeclaration? {
        guard node.entries != nil else { return address(node, context).map { ListenerDeclaration($0) } }
        var listener: ListenerDeclaration?
        Fields.read(node, section, context) { fields in
            var read = ListenerDeclaration(fields.required("address").flatMap { address($0, context) })
            fields.say("tls", \.tls, in: &read.settings) { ServerTLSSection.read($0, context) }
            fields.say("http2", \.http2, in: &read.settings, context.flag)
            fields.say("allow", part: \.grants, in: &read.settings)
            fields.say("mode", \.mode, in: &read.settings) { permissions($0, context) }
            listener = read
        }
        return listener
    }

    private static func permissions(_ node: SourceNode, _ context: ReadingContext) -> Int? {
        guard let text = node.text, (3...4).contains(text.utf8.count), let mode = Int(text, radix: 8), mode <= 0o777
        else {
            context.findings.mistake(
                at: node.place, "\(node.kind) where permissions are wanted", expected: "three octal digits such as 0660"
            )
            return nil
        }
        return mode
    }

    static func address(_ node: SourceNode, _ context: ReadingContext) -> Listener.Address? {
        guard let text = context.text(node, what: "an address") else { return nil }
        if text.hasPrefix("unix:") { return .unix(path: String(text.dropFirst(5))) }
        guard let (host, port) = HostPort.split(text) else {
            context.findings.mistake(
                at: node.place, "\(URLText.shown(text)) is no address to listen on",
                expected: "127.0.0.1:8080, [::1]:8080 or unix:/path", suggestion: nearest(text).map { .didYouMean($0) })
            return nil
        }
        // `localhost` needs no resolver.
        return .tcp(host: host == "localhost" ? "127.0.0.1" : host, port: port)
    }

    /// A suggestion for a malformed address: `8080`, `:8080`, `127.0.0.1`, `http://127.0.0.1:8080/`.
    private static func nearest(_ text: String) -> String? {
        if let port = Int(text.drop { $0 == ":" }) { return "127.0.0.1:\(port)" }
        var rest = text[...]
        for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if rest.hasPrefix("/") { return "unix:\(rest)" }
        if HostPort.split(String(rest)) != nil { return String(rest) }
        let isHost = HostPort.isIPv4(String(rest)) || rest == "localhost"
        return isHost ? "\(rest):8080" : HostPort.isIPv6(String(rest)) ? "[\(rest)]:8080" : nil
    }
}
