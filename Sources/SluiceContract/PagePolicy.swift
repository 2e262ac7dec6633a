/// `pages:`: how one request of a client gathers all pages of a list.
public struct PagePolicy: Hashable, Sendable {
    public var way: Way
    /// How a page tells that it is the last one; nil where only the absence of what leads on does.
    public var ending: Ending?
    /// Pages at most.
    public var limit = Self.limitUsual

    public init(_ way: Way) {
        self.way = way
    }

    /// What leads to the next page.
    public enum Way: Hashable, Sendable {
        /// A text of the page, which the next request has as this parameter of its query, or variable of GraphQL.
        case cursor(FieldPath, parameter: String)
        /// The target of a `Link` field with `rel="next"` (RFC 8288).
        case link
        /// A URL in the page.
        case url(FieldPath)
        /// This parameter or variable, which grows by the step until a page is empty.
        case offset(parameter: String, step: Int)
        /// This parameter or variable, which grows by one until a page is empty.
        case page(parameter: String)
    }

    /// What a page says of the end.
    public enum Ending: Hashable, Sendable {
        /// Another page follows only where this is there and more than nothing.
        case more(FieldPath)
        /// This is the last page where it is there and more than nothing.
        case last(FieldPath)
        /// How many items all pages have.
        case total(FieldPath)
        /// How many pages there are.
        case totalPages(FieldPath)

        public var path: FieldPath {
            switch self {
            case .more(let path), .last(let path), .total(let path), .totalPages(let path): path
            }
        }

        public static let names = ["more", "last", "total", "total-pages"]

        /// As the configuration calls it.
        public var name: String {
            switch self {
            case .more: "more"
            case .last: "last"
            case .total: "total"
            case .totalPages: "total-pages"
            }
        }

        public init?(_ name: String, _ path: FieldPath) {
            switch name {
            case "more": self = .more(path)
            case "last": self = .last(path)
            case "total": self = .total(path)
            case "total-pages": self = .totalPages(path)
            default: return nil
            }
        }
    }

    /// The parameter that leads to the next page; nil where a URL does.
    public var parameter: String? {
        switch way {
        case .cursor(_, let name), .offset(let name, _), .page(let name): name
        case .link, .url: nil
        }
    }

    /// The same policy for documents that have all of it below a key.
    public func below(_ key: String) -> PagePolicy {
        func moved(_ path: FieldPath) -> FieldPath { FieldPath(components: [.key(key)] + path.components) }
        var policy = self
        switch way {
        case .cursor(let path, let name): policy.way = .cursor(moved(path), parameter: name)
        case .url(let path): policy.way = .url(moved(path))
        case .link, .offset, .page: break
        }
        policy.ending = ending.flatMap { Ending($0.name, moved($0.path)) }
        return policy
    }

    public static let limitUsual = 100
    public static let limits = 1...10_000
    public static let steps = 1...1_000_000
}
