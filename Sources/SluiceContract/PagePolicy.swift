/// `pages:`: how one request of a client gathers all pages of a list.
public struct PagePolicy: Hashable, Sendable {
    public var way: Way
    /// What has to stand there, and be more than nothing, so that another page follows.
    public var more: FieldPath?
    /// Pages at most.
    public var limit = Self.limitUsual

    public init(_ way: Way) {
        self.way = way
    }

    /// What leads to the next page.
    public enum Way: Hashable, Sendable {
        /// A text of the page, which the next request has as this parameter of its query.
        case cursor(FieldPath, parameter: String)
        /// The target of a `Link` field with `rel="next"` (RFC 8288).
        case link
        /// A URL in the page.
        case url(FieldPath)
        /// This parameter of the query, which grows by the step until a page is empty.
        case offset(parameter: String, step: Int)
        /// This parameter of the query, which grows by one until a page is empty.
        case page(parameter: String)
    }

    public static let limitUsual = 100
    public static let limits = 1...10_000
    public static let steps = 1...1_000_000
}
