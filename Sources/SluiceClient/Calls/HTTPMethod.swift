/// A method of a request (RFC 9110 §9): one of the nine, or one's own.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, Codable {
    /// The method as it is sent, case and all.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        rawValue = value
    }

    public static let get: HTTPMethod = "GET"
    public static let head: HTTPMethod = "HEAD"
    public static let post: HTTPMethod = "POST"
    public static let put: HTTPMethod = "PUT"
    public static let delete: HTTPMethod = "DELETE"
    public static let connect: HTTPMethod = "CONNECT"
    public static let options: HTTPMethod = "OPTIONS"
    public static let trace: HTTPMethod = "TRACE"
    /// RFC 5789.
    public static let patch: HTTPMethod = "PATCH"

    /// Whether parameters of this method are texts of the query, and not members of a body: its content has no meaning
    /// (RFC 9110 §9.3.1, §9.3.2).
    public var putsParametersInQuery: Bool { self == .get || self == .head }
}
