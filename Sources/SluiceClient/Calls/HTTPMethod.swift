/// A method of a request (RFC 9110 §9): one of the nine, or one's own.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, Codable {
    /// The method as it is sent, case and all.
    public let rawValue: String

    /// A method as it is sent; what is no token (RFC 9110 §5.6.2) is refused when it is.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// Asks for what is there.
    public static let get: HTTPMethod = "GET"
    /// Asks for the head of what GET would bring.
    public static let head: HTTPMethod = "HEAD"
    /// Hands over something to be worked on.
    public static let post: HTTPMethod = "POST"
    /// Puts something in the place of what is there.
    public static let put: HTTPMethod = "PUT"
    /// Removes what is there.
    public static let delete: HTTPMethod = "DELETE"
    /// Not for gateways: a call with it is refused.
    public static let connect: HTTPMethod = "CONNECT"
    /// Asks what may be done.
    public static let options: HTTPMethod = "OPTIONS"
    /// Not for gateways: a call with it is refused.
    public static let trace: HTTPMethod = "TRACE"
    /// Changes a part of what is there (RFC 5789).
    public static let patch: HTTPMethod = "PATCH"

    /// Whether parameters of this method are texts of the query, and not members of a body: its content has no meaning
    /// (RFC 9110 §9.3.1, §9.3.2).
    public var putsParametersInQuery: Bool { self == .get || self == .head }
}
