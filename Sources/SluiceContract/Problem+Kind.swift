extension Problem {
    /// The kinds of problem; the raw value is the last part of the problem's `type` URI.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        // The client's.
        case badRequest = "bad-request"
        case badParameters = "bad-parameters"
        case badBody = "bad-body"
        case unknownRoute = "unknown-route"
        case methodNotAllowed = "method-not-allowed"
        case hostNotServed = "host-not-served"
        case crossOrigin = "cross-origin"
        case unauthenticated = "unauthenticated"
        case forbidden = "forbidden"
        case rateLimited = "rate-limited"
        case clientTooSlow = "client-too-slow"
        case contentTooLarge = "content-too-large"
        case uriTooLong = "uri-too-long"
        case fieldsTooLarge = "fields-too-large"
        case unsupportedMediaType = "unsupported-media-type"
        case unsupportedCoding = "unsupported-content-coding"
        case expectationFailed = "expectation-failed"
        case requestTimeout = "request-timeout"
        case upgradeRequired = "upgrade-required"
        case unknownMethod = "unknown-method"
        case unsupportedVersion = "unsupported-version"
        case unknownTransferCoding = "unknown-transfer-coding"
        // The gateway's.
        case overloaded = "overloaded"
        case draining = "draining"
        case noBearer = "no-bearer"
        case credentialUnavailable = "credential-unavailable"
        case signInNeeded = "sign-in-needed"
        case notStored = "not-stored"
        case noFixture = "no-fixture"
        case internalError = "internal-error"
        // The upstream's.
        case upstreamError = "upstream-error"
        case reportedError = "reported-error"
        case badPage = "bad-page"
        case upstreamPaused = "upstream-paused"
        case upstreamProtocol = "upstream-protocol"
        case upstreamTruncated = "upstream-truncated"
        case typeMismatch = "type-mismatch"
        case missingValue = "missing-value"
        case upstreamTooLarge = "upstream-too-large"
        case circuitOpen = "circuit-open"
        // The network's.
        case connectTimeout = "connect-timeout"
        case firstByteTimeout = "first-byte-timeout"
        case totalTimeout = "total-timeout"
        case connectionRefused = "connection-refused"
        case connectionReset = "connection-reset"
        case unreachable = "unreachable"
        case nameNotFound = "name-not-found"
        case tlsFailure = "tls-failure"
    }
}

extension Problem.Kind {
    /// Status, source, whether a retry can help, and title: the whole table of problem kinds.
    private var row: (status: Int, source: Problem.Source, retry: Bool, title: String) {
        switch self {
        case .badRequest: (400, .client, false, "Bad request")
        case .badParameters: (400, .client, false, "Parameters are not as declared")
        case .badBody: (400, .client, false, "The body is not as declared")
        case .unknownRoute: (404, .client, false, "No binding for this path")
        case .methodNotAllowed: (405, .client, false, "No binding for this method")
        case .hostNotServed: (421, .client, false, "This host is not served here")
        case .crossOrigin: (403, .client, false, "Cross-origin request refused")
        case .unauthenticated: (401, .client, false, "A key is needed")
        case .forbidden: (403, .client, false, "Not allowed for this client")
        case .rateLimited: (429, .client, true, "Too many requests")
        case .clientTooSlow: (408, .client, true, "The client is too slow")
        case .contentTooLarge: (413, .client, false, "Content too large")
        case .uriTooLong: (414, .client, false, "Request target too long")
        case .fieldsTooLarge: (431, .client, false, "Header fields too large")
        case .unsupportedMediaType: (415, .client, false, "Unsupported content type")
        case .unsupportedCoding: (415, .client, false, "Unsupported content coding")
        case .expectationFailed: (417, .client, false, "Unknown expectation")
        case .requestTimeout: (408, .client, true, "The request took too long to arrive")
        case .upgradeRequired: (426, .client, false, "Another version of the protocol is required")
        case .unknownMethod: (501, .client, false, "Unknown method")
        case .unsupportedVersion: (505, .client, false, "Unsupported HTTP version")
        case .unknownTransferCoding: (501, .client, false, "Unknown transfer coding")
        case .overloaded: (503, .gateway, true, "Too much to do")
        case .draining: (503, .gateway, true, "Shutting down")
        case .noBearer: (502, .gateway, true, "The upstream's bearer token is missing")
        case .credentialUnavailable: (503, .gateway, true, "The upstream's credential is not there yet")
        case .signInNeeded: (503, .gateway, false, "Somebody has to sign in for the upstream")
        case .notStored: (504, .client, false, "Nothing is stored for this request")
        case .noFixture: (501, .gateway, false, "No fixture answers this request")
        case .internalError: (500, .gateway, false, "Internal error")
        case .upstreamError: (502, .upstream, false, "The upstream answered with an error")
        case .reportedError: (502, .upstream, false, "The upstream reported an error with a status of success")
        case .badPage: (502, .upstream, false, "The upstream's next page cannot be asked for")
        case .upstreamPaused: (503, .upstream, true, "The upstream asked for a pause")
        case .upstreamProtocol: (502, .upstream, true, "The upstream's answer is not valid HTTP")
        case .upstreamTruncated: (502, .upstream, true, "The upstream's answer was cut short")
        case .typeMismatch: (502, .upstream, false, "The upstream's answer is not of the declared type")
        case .missingValue: (502, .upstream, false, "The upstream's answer lacks the wanted value")
        case .upstreamTooLarge: (502, .upstream, false, "The upstream's answer exceeds a limit")
        case .circuitOpen: (503, .upstream, true, "The upstream rests after failures")
        case .connectTimeout: (504, .network, true, "The upstream could not be reached in time")
        case .firstByteTimeout: (504, .network, true, "The upstream did not answer in time")
        case .totalTimeout: (504, .network, true, "The exchange took too long")
        case .connectionRefused: (502, .network, true, "The upstream refused the connection")
        case .connectionReset: (502, .network, true, "The upstream closed the connection")
        case .unreachable: (502, .network, true, "The upstream is unreachable")
        case .nameNotFound: (502, .network, true, "The upstream's name was not found")
        case .tlsFailure: (502, .network, false, "TLS with the upstream failed")
        }
    }

    /// Default HTTP status.
    public var status: Int { row.status }
    /// Default cause.
    public var source: Problem.Source { row.source }
    /// Whether a retry can help.
    public var isRetryable: Bool { row.retry }
    /// The problem's `title`: the same for every occurrence of the kind (RFC 9457 §3.1.3).
    public var title: String { row.title }
}
