/// The request methods that Sluice knows (RFC 9110 §9, RFC 5789); any other token is `.other`.
public enum Method: UInt8, Sendable, CaseIterable {
    case other = 0
    case get, head, post, put, delete, patch, options, trace, connect

    /// Method tokens are case-sensitive: `get` is `.other` (RFC 9110 §9.1).
    public init(_ name: UnsafeRawBufferPointer) {
        switch name.count {
        case 3:
            self = name.equals("GET") ? .get : name.equals("PUT") ? .put : .other
        case 4:
            self = name.equals("POST") ? .post : name.equals("HEAD") ? .head : .other
        case 5:
            self = name.equals("PATCH") ? .patch : name.equals("TRACE") ? .trace : .other
        case 6: self = name.equals("DELETE") ? .delete : .other
        case 7:
            self = name.equals("OPTIONS") ? .options : name.equals("CONNECT") ? .connect : .other
        default: self = .other
        }
    }

    /// The token; empty for `.other`.
    public var name: StaticString {
        switch self {
        case .other: ""
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .patch: "PATCH"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        }
    }

    /// Whether requests with this method are ever served here: TRACE would echo credentials, and CONNECT is for
    /// proxies.
    public var isServed: Bool {
        switch self {
        case .other, .trace, .connect: false
        case .get, .head, .post, .put, .delete, .patch, .options: true
        }
    }

    /// Read-only by definition (RFC 9110 §9.2.1).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .other, .post, .put, .delete, .patch, .connect: false
        }
    }

    /// Several identical requests have the effect of one (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .put, .delete: true
        case .other, .post, .patch, .connect: false
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ text: StaticString) -> Bool { equals(UnsafeRawBufferPointer(text)) }
}
