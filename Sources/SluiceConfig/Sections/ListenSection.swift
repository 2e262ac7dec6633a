import SluiceContract

/// `listen:`: one listener or a list; an address alone, or a mapping with TLS and permissions.
enum ListenSection {
    static let section = Section(
        name: "listener", summary: "A listener with more than an address",
        keys: [
            .required("address", .text(), "127.0.0.1:8080, [::1]:8080 or unix:/path"),
            .init("tls", .section(ServerTLSSection.section), "Serves HTTPS with these PEM files"),
            .init("http2", .flag, default: "true", "Speaks HTTP/2 beside HTTP/1.1"),
            .init("allow", GrantsSection.shape, default: "any", "Who may use it"),
            .init("mode", .text(pattern: "^0?[0-7]{3}$"), default: "0660", "Permissions of a Unix socket, octal"),
        ])

    static let shape = Shape.oneOrMany(.either([.text(), .section(section)]))

    /// Bytes of `sockaddr_un.sun_path` without the closing zero.
    private static let socketPathBytesMax = 107

    static func read(_ node: SourceNode, _ desk: Desk) -> [Listener]? {
        var listeners: [Listener] = []
        for item in desk.items(node) {
            guard let listener = listener(item, desk) else { continue }
            if listeners.contains(where: { $0.address == listener.address && !listener.address.isAnyPort }) {
                desk.findings.mistake(
                    at: item.place, "'\(listener.address)' is listened on twice", expected: "each address once")
            }
            listeners.append(listener)
        }
        if node.items?.isEmpty == true {
            desk.findings.mistake(at: node.place, "nothing is listened on", expected: "at least one address")
        }
        return listeners.isEmpty ? nil : listeners
    }

    private static func listener(_ node: SourceNode, _ desk: Desk) -> Listener? {
        guard node.entries != nil else { return address(node, desk).map { Listener($0) } }
        var listener: Listener?
        Fields.read(node, section, desk) { fields in
            listener = fields.required("address").flatMap { address($0, desk) }.map { Listener($0) }
            let tls = fields.node("tls").flatMap { ServerTLSSection.read($0, desk) }
            listener?.tls = tls
            if let http2 = fields.node("http2").flatMap({ desk.flag($0) }) { listener?.http2 = http2 }
            if let node = fields.node("allow"), let grants = GrantsSection.read(node, desk) {
                listener?.grants = grants
                if case .tcp = listener?.address, let grants, grants.users + grants.groups != [] {
                    desk.findings.mistake(
                        at: fields.keyPlace("allow"), "users and groups are known at Unix sockets only",
                        expected: "an address unix:/path, or {client: …}")
                }
                let isAsking = tls?.clientCA != nil || tls == nil && fields.has("tls")
                if let grants, !grants.subjects.isEmpty, !isAsking {
                    desk.findings.mistake(
                        at: fields.keyPlace("allow"), "nobody shows a certificate at this listener",
                        expected: "tls: with client-ca:, the authorities of client certificates")
                }
            }
            if let mode = fields.node("mode") {
                listener?.mode = permissions(mode, desk) ?? 0o660
                if case .tcp = listener?.address {
                    desk.findings.mistake(
                        at: fields.keyPlace("mode"), "'mode' is for Unix sockets", expected: "an address unix:/path")
                }
            }
        }
        return listener
    }

    private static func permissions(_ node: SourceNode, _ desk: Desk) -> Int? {
        guard let text = node.text, (3...4).contains(text.utf8.count), let mode = Int(text, radix: 8), mode <= 0o777
        else {
            desk.findings.mistake(
                at: node.place, "\(node.kind) where permissions are wanted", expected: "three octal digits such as 0660"
            )
            return nil
        }
        return mode
    }

    private static func address(_ node: SourceNode, _ desk: Desk) -> Listener.Address? {
        guard let text = desk.text(node, what: "an address") else { return nil }
        if text.hasPrefix("unix:") { return socket(String(text.dropFirst(5)), node, desk) }
        func wrong(_ message: String, _ suggestion: Mistake.Suggestion? = nil) {
            desk.findings.mistake(
                at: node.place, message, expected: "127.0.0.1:8080, [::1]:8080 or unix:/path", suggestion: suggestion)
        }
        guard let (host, port) = HostPort.split(text) else {
            wrong("'\(text)' is no address to listen on", nearest(text).map { .didYouMean($0) })
            return nil
        }
        guard (0...65_535).contains(port) else {
            wrong("\(port) is no port", nil)
            return nil
        }
        // The loopback name needs no resolver; every other name does, and may then mean an address of the network.
        let literal = host == "localhost" ? "127.0.0.1" : host
        guard HostPort.isIPv4(literal) || HostPort.isIPv6(literal) else {
            wrong("'\(host)' is a name, not an address", .didYouMean("127.0.0.1:\(port)"))
            return nil
        }
        if !HostPort.isLoopback(literal) {
            desk.findings.warning(
                at: node.place, "'\(text)' can be reached from other machines, and with it every upstream's bearer",
                suggestion: .advice("listen on 127.0.0.1 or a Unix socket unless that is meant"))
        }
        return .tcp(host: literal, port: port)
    }

    /// An address as it may have been meant: `8080`, `:8080`, `127.0.0.1`, `http://127.0.0.1:8080/`.
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

    static func socket(_ path: String, _ node: SourceNode, _ desk: Desk) -> Listener.Address? {
        guard path.hasPrefix("/"), path.utf8.count <= socketPathBytesMax, !path.hasSuffix("/") else {
            desk.findings.mistake(
                at: node.place, "'\(path)' is no path for a socket",
                expected: "unix: and an absolute path of at most \(socketPathBytesMax) bytes")
            return nil
        }
        return .unix(path: path)
    }
}

extension Listener.Address {
    /// Port 0 takes any free port, so several of them are several listeners.
    fileprivate var isAnyPort: Bool {
        if case .tcp(_, 0) = self { true } else { false }
    }
}
