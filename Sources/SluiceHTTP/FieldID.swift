/// The fields that Sluice, or nearly every program, looks at; any other is `.other` and is identified by its name
/// alone.
public enum FieldID: UInt8, Sendable, CaseIterable {
    case other = 0
    // Framing and routing (RFC 9110 §7, RFC 9112).
    case host, connection, contentLength, transferEncoding, te, trailer, upgrade, keepAlive, proxyConnection
    case expect, maxForwards, via, forwarded, xForwardedFor, xForwardedHost, xForwardedProto, xRealIP, http2Settings
    // Content (RFC 9110 §8).
    case contentType, contentEncoding, contentLanguage, contentLocation, contentRange, contentDisposition
    case accept, acceptCharset, acceptEncoding, acceptLanguage, acceptRanges, range
    // Proofs of content (RFC 9530, RFC 9421, RFC 1864).
    case contentDigest, reprDigest, digest, contentMD5, signature, signatureInput
    // Credentials (RFC 9110 §11, RFC 6265).
    case authorization, proxyAuthorization, proxyAuthenticate, wwwAuthenticate, authenticationInfo
    case proxyAuthenticationInfo, cookie, setCookie, xAPIKey
    // Conditions and caches (RFC 9110 §13, RFC 9111, RFC 9211).
    case ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince, ifRange, etag, lastModified
    case cacheControl, pragma, age, expires, vary, warning, cacheStatus
    // Control data (RFC 9110 §10, RFC 9331 and its draft fields).
    case date, location, retryAfter, allow, link, server, userAgent, from, referer
    case rateLimit, rateLimitPolicy, idempotencyKey, priority, altSvc, xRequestID, traceparent, tracestate
    // Browsers (Fetch, WebSocket).
    case origin, secFetchSite, secFetchMode, secFetchDest
    case accessControlAllowOrigin, accessControlAllowMethods, accessControlAllowHeaders
    case accessControlAllowCredentials, accessControlExposeHeaders, accessControlMaxAge
    case accessControlRequestMethod, accessControlRequestHeaders
    case secWebSocketKey, secWebSocketAccept, secWebSocketVersion, secWebSocketProtocol, secWebSocketExtensions
    case strictTransportSecurity, contentSecurityPolicy, xContentTypeOptions

    /// Finds a field by its name, in any case. O(1): one hash, one comparison by words.
    public init(name: UnsafeRawBufferPointer) {
        self = FieldNames.shared.find(name)
    }

    /// The name as its specification writes it; empty for `.other`.
    public var canonicalName: StaticString {
        switch self {
        case .other: ""
        case .host: "Host"
        case .connection: "Connection"
        case .contentLength: "Content-Length"
        case .transferEncoding: "Transfer-Encoding"
        case .te: "TE"
        case .trailer: "Trailer"
        case .upgrade: "Upgrade"
        case .keepAlive: "Keep-Alive"
        case .proxyConnection: "Proxy-Connection"
        case .expect: "Expect"
        case .maxForwards: "Max-Forwards"
        case .via: "Via"
        case .forwarded: "Forwarded"
        case .xForwardedFor: "X-Forwarded-For"
        case .xForwardedHost: "X-Forwarded-Host"
        case .xForwardedProto: "X-Forwarded-Proto"
        case .xRealIP: "X-Real-IP"
        case .http2Settings: "HTTP2-Settings"
        case .contentType: "Content-Type"
        case .contentEncoding: "Content-Encoding"
        case .contentLanguage: "Content-Language"
        case .contentLocation: "Content-Location"
        case .contentRange: "Content-Range"
        case .contentDisposition: "Content-Disposition"
        case .accept: "Accept"
        case .acceptCharset: "Accept-Charset"
        case .acceptEncoding: "Accept-Encoding"
        case .acceptLanguage: "Accept-Language"
        case .acceptRanges: "Accept-Ranges"
        case .range: "Range"
        case .contentDigest: "Content-Digest"
        case .reprDigest: "Repr-Digest"
        case .digest: "Digest"
        case .contentMD5: "Content-MD5"
        case .signature: "Signature"
        case .signatureInput: "Signature-Input"
        case .authorization: "Authorization"
        case .proxyAuthorization: "Proxy-Authorization"
        case .proxyAuthenticate: "Proxy-Authenticate"
        case .wwwAuthenticate: "WWW-Authenticate"
        case .authenticationInfo: "Authentication-Info"
        case .proxyAuthenticationInfo: "Proxy-Authentication-Info"
        case .cookie: "Cookie"
        case .setCookie: "Set-Cookie"
        case .xAPIKey: "X-API-Key"
        case .ifMatch: "If-Match"
        case .ifNoneMatch: "If-None-Match"
        case .ifModifiedSince: "If-Modified-Since"
        case .ifUnmodifiedSince: "If-Unmodified-Since"
        case .ifRange: "If-Range"
        case .etag: "ETag"
        case .lastModified: "Last-Modified"
        case .cacheControl: "Cache-Control"
        case .pragma: "Pragma"
        case .age: "Age"
        case .expires: "Expires"
        case .vary: "Vary"
        case .warning: "Warning"
        case .cacheStatus: "Cache-Status"
        case .date: "Date"
        case .location: "Location"
        case .retryAfter: "Retry-After"
        case .allow: "Allow"
        case .link: "Link"
        case .server: "Server"
        case .userAgent: "User-Agent"
        case .from: "From"
        case .referer: "Referer"
        case .rateLimit: "RateLimit"
        case .rateLimitPolicy: "RateLimit-Policy"
        case .idempotencyKey: "Idempotency-Key"
        case .priority: "Priority"
        case .altSvc: "Alt-Svc"
        case .xRequestID: "X-Request-ID"
        case .traceparent: "Traceparent"
        case .tracestate: "Tracestate"
        case .origin: "Origin"
        case .secFetchSite: "Sec-Fetch-Site"
        case .secFetchMode: "Sec-Fetch-Mode"
        case .secFetchDest: "Sec-Fetch-Dest"
        case .accessControlAllowOrigin: "Access-Control-Allow-Origin"
        case .accessControlAllowMethods: "Access-Control-Allow-Methods"
        case .accessControlAllowHeaders: "Access-Control-Allow-Headers"
        case .accessControlAllowCredentials: "Access-Control-Allow-Credentials"
        case .accessControlExposeHeaders: "Access-Control-Expose-Headers"
        case .accessControlMaxAge: "Access-Control-Max-Age"
        case .accessControlRequestMethod: "Access-Control-Request-Method"
        case .accessControlRequestHeaders: "Access-Control-Request-Headers"
        case .secWebSocketKey: "Sec-WebSocket-Key"
        case .secWebSocketAccept: "Sec-WebSocket-Accept"
        case .secWebSocketVersion: "Sec-WebSocket-Version"
        case .secWebSocketProtocol: "Sec-WebSocket-Protocol"
        case .secWebSocketExtensions: "Sec-WebSocket-Extensions"
        case .strictTransportSecurity: "Strict-Transport-Security"
        case .contentSecurityPolicy: "Content-Security-Policy"
        case .xContentTypeOptions: "X-Content-Type-Options"
        }
    }
}

extension FieldID {
    /// Whether the field holds only for the content exactly as sent: digests of the content (RFC 9530 and its
    /// predecessors), and signatures, which cover such digests (RFC 9421 §7.2.8). Code that changes the content leaves
    /// the field out.
    public var provesContent: Bool {
        switch self {
        case .contentDigest, .reprDigest, .digest, .contentMD5, .signature, .signatureInput: true
        default: false
        }
    }
}
