/// The parts of a request that ``ConsoleGate`` checks. A repeated field has several values.
public struct ConsoleRequest: Sendable {
    public var method: String
    /// As sent, without the query.
    public var path: String
    public var hosts: [String]
    public var origins: [String]
    /// `Sec-Fetch-Site`.
    public var fetchSites: [String]
    public var authorizations: [String]

    public init(
        method: String, path: String, hosts: [String], origins: [String] = [], fetchSites: [String] = [],
        authorizations: [String] = []
    ) {
        self.method = method
        self.path = path
        self.hosts = hosts
        self.origins = origins
        self.fetchSites = fetchSites
        self.authorizations = authorizations
    }
}

/// What the console's server does with a request.
public enum ConsoleAction: Equatable, Sendable {
    /// Send one of the console's files, by name.
    case sendFile(String)
    /// Exchange the link for the key.
    case openSession
    /// Pass this path, with the query of the request, to the admin socket.
    case ask(String)
    /// Begin a sign-in for a credential; the name is as in the path.
    case beginSignIn(String)
    case awaitSignIn(String)
    /// Send a request to the daemon at its own address.
    case tryOut
}
