/// What ``ConsoleGate`` looks at of a request. A field that stands several times has several values.
public struct ConsoleRequest: Sendable {
    public var method: String
    /// As it was sent, without the query.
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
    /// One of the page's files, by name.
    case sendFile(String)
    /// The link is given up for the key.
    case openSession
    /// The admin socket is asked for this path, with the query of the request.
    case ask(String)
    /// A sign-in for a credential begins; the name is as the path has it.
    case beginSignIn(String)
    case awaitSignIn(String)
    /// The daemon is asked at its own address.
    case tryOut
}
