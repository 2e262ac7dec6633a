public import SluiceContract

/// Decides what a request to the console's server may do. The console is only for the person who started the command.
/// Its files contain no secret, and are served to every request that names this machine; everything else needs the key
/// for which the link is exchanged.
public struct ConsoleGate: Sendable {
    private enum Link: Sendable {
        case open(String)
        case used
    }

    private let port: Int
    private let key: String
    private let files: Set<String>
    private var link: Link

    /// - Parameters:
    ///   - port: the port that the server listens on.
    ///   - link: the part of the printed address behind `#`; valid once.
    ///   - key: the key for which the link is exchanged.
    ///   - files: the names of the console's files.
    public init(port: Int, link: String, key: String, files: Set<String>) {
        self.port = port
        self.key = key
        self.files = files
        self.link = .open(link)
    }

    /// - Throws: why the request is refused.
    public func judge(_ request: ConsoleRequest) throws(Problem) -> ConsoleAction {
        try checkHost(request)
        let path = request.path
        if !path.hasPrefix(ConsolePaths.prefix), path != ConsolePaths.session { return try file(request) }
        try checkOrigin(request)
        if path == ConsolePaths.session {
            try expect(["POST"], request)
            return .openSession
        }
        try checkKey(request)
        let asked = String(path.dropFirst(ConsolePaths.prefix.count - 1))
        guard let (action, methods) = ConsolePaths.action(of: asked) else {
            throw Problem(.unknownRoute, detail: "The console has nothing at '\(path.prefix(100))'.")
        }
        try expect(methods, request)
        return action
    }

    /// Exchanges the link for the key, once.
    public mutating func redeem(_ text: String) throws(Problem) -> String {
        guard case .open(let wanted) = link, Self.isSame(text, wanted) else {
            throw Problem(
                .forbidden, detail: "This link has been used, or is another one's. Run 'sluice console' for a new one.")
        }
        link = .used
        return key
    }

    // MARK: - Checks

    /// Stops DNS rebinding: a foreign page whose name points to this machine sends its own name.
    private func checkHost(_ request: ConsoleRequest) throws(Problem) {
        let names = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard request.hosts.count == 1, names.contains(request.hosts[0].lowercased()) else {
            throw Problem(.hostNotServed, detail: "The console answers to 127.0.0.1:\(port) and localhost:\(port).")
        }
    }

    /// Refuses pages of another origin, even those of another port of this machine. The browser sets both fields, and
    /// no page can change them (Fetch §4.6, Fetch Metadata §2.4).
    private func checkOrigin(_ request: ConsoleRequest) throws(Problem) {
        let own = request.hosts.map { "http://" + $0.lowercased() }
        let isForeign = request.origins.contains { !own.contains($0) }
        let sites = request.fetchSites.contains { $0 != "same-origin" && $0 != "none" }
        if isForeign || sites {
            throw Problem(.crossOrigin, detail: "The console serves no page but its own.")
        }
    }

    private func checkKey(_ request: ConsoleRequest) throws(Problem) {
        let prefix = "Bearer "
        guard request.authorizations.count == 1, request.authorizations[0].hasPrefix(prefix),
            Self.isSame(String(request.authorizations[0].dropFirst(prefix.count)), key)
        else {
            var problem = Problem(
                .unauthenticated, detail: "This session has ended. Run 'sluice console' again and open its link.")
            problem.fields = [HeaderSetting(name: "WWW-Authenticate", value: "Bearer")]
            throw problem
        }
    }

    private func file(_ request: ConsoleRequest) throws(Problem) -> ConsoleAction {
        let name = request.path == "/" ? ConsolePaths.index : String(request.path.dropFirst())
        guard files.contains(name) else {
            throw Problem(.unknownRoute, detail: "The console has nothing at '\(request.path.prefix(100))'.")
        }
        try expect(["GET", "HEAD"], request)
        return .sendFile(name)
    }

    private func expect(_ methods: [String], _ request: ConsoleRequest) throws(Problem) {
        if methods.contains(request.method) { return }
        var problem = Problem(.methodNotAllowed, detail: "'\(request.path.prefix(100))' knows another method.")
        problem.allow = methods
        throw problem
    }

    /// Compares in a time that does not depend on where the texts differ.
    private static func isSame(_ text: String, _ secret: String) -> Bool {
        let (text, secret) = (Array(text.utf8), Array(secret.utf8))
        guard text.count == secret.count else { return false }
        return zip(text, secret).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
