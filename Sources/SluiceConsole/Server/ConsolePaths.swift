/// The paths below `/api`: those that are passed on to the admin socket, with their methods, and those of the console
/// itself. Paths that are not listed are not passed on.
enum ConsolePaths {
    static let prefix = "/api/"
    static let session = "/session"
    static let index = "console.html"

    /// `*` stands for one segment.
    private static let passed: [(path: String, methods: [String])] = [
        ("/bindings", ["GET"]), ("/configuration", ["GET"]), ("/reloads", ["GET"]), ("/drift", ["GET", "DELETE"]),
        ("/state", ["GET"]), ("/upstreams", ["GET"]), ("/watches", ["GET"]), ("/metrics", ["GET"]),
        ("/requests", ["GET"]), ("/exchanges", ["GET"]), ("/exchanges/*", ["GET"]),
        ("/cache", ["GET", "DELETE"]), ("/cache/entry", ["GET"]),
        ("/cache/explain", ["GET"]), ("/cache/stats", ["GET"]), ("/credentials", ["GET"]),
        ("/credentials/refresh", ["POST"]), ("/credentials/*/logout", ["POST"]), ("/reload", ["POST"]),
    ]

    /// - Parameter path: the part behind the prefix, with its slash.
    /// - Returns: nil where the path is unknown.
    static func action(of path: String) -> (action: ConsoleAction, methods: [String])? {
        if path == "/try" { return (.tryOut, ["POST"]) }
        if let name = match(path, "/credentials/*/login") { return (.beginSignIn(name), ["POST"]) }
        if let name = match(path, "/credentials/*/login/wait") { return (.awaitSignIn(name), ["POST"]) }
        guard let row = passed.first(where: { match(path, $0.path) != nil }) else { return nil }
        return (.ask(path), row.methods)
    }

    /// - Returns: the text in place of `*`; nil where the path does not match.
    private static func match(_ path: String, _ pattern: String) -> String? {
        guard let star = pattern.firstIndex(of: "*") else { return path == pattern ? "" : nil }
        let (head, tail) = (pattern[..<star], pattern[pattern.index(after: star)...])
        guard path.hasPrefix(head), path.hasSuffix(tail), path.utf8.count > head.utf8.count + tail.utf8.count else {
            return nil
        }
        let name = path.dropFirst(head.count).dropLast(tail.count)
        return name.contains("/") || name == "." || name == ".." ? nil : String(name)
    }
}
