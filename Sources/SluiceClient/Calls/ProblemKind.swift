/// What went wrong, by the last part of a problem's `type` ([PROBLEMS.md](../../../docs/PROBLEMS.md)).
public enum ProblemKind: Hashable, Sendable {
    // The client's.
    /// `bad-request`, 400: bad request.
    case badRequest
    /// `bad-parameters`, 400: parameters are not as declared.
    case badParameters
    /// `bad-body`, 400: the body is not as declared.
    case badBody
    /// `unknown-route`, 404: no binding for this path.
    case unknownRoute
    /// `method-not-allowed`, 405: no binding for this method.
    case methodNotAllowed
    /// `host-not-served`, 421: this host is not served here.
    case hostNotServed
    /// `cross-origin`, 403: cross-origin request refused.
    case crossOrigin
    /// `unauthenticated`, 401: a key is needed.
    case unauthenticated
    /// `forbidden`, 403: not allowed for this client.
    case forbidden
    /// `rate-limited`, 429: too many requests.
    case rateLimited
    /// `client-too-slow`, 408: the client is too slow.
    case clientTooSlow
    /// `content-too-large`, 413: content too large.
    case contentTooLarge
    /// `uri-too-long`, 414: request target too long.
    case uriTooLong
    /// `fields-too-large`, 431: header fields too large.
    case fieldsTooLarge
    /// `unsupported-media-type`, 415: unsupported content type.
    case unsupportedMediaType
    /// `unsupported-content-coding`, 415: unsupported content coding.
    case unsupportedCoding
    /// `expectation-failed`, 417: unknown expectation.
    case expectationFailed
    /// `request-timeout`, 408: the request took too long to arrive.
    case requestTimeout
    /// `upgrade-required`, 426: another version of the protocol is required.
    case upgradeRequired
    /// `unknown-method`, 501: unknown method.
    case unknownMethod
    /// `unsupported-version`, 505: unsupported HTTP version.
    case unsupportedVersion
    /// `unknown-transfer-coding`, 501: unknown transfer coding.
    case unknownTransferCoding

    // The gateway's.
    /// `overloaded`, 503: too much to do.
    case overloaded
    /// `draining`, 503: shutting down.
    case draining
    /// `no-bearer`, 502: the upstream's bearer token is missing.
    case noBearer
    /// `credential-unavailable`, 503: the upstream's credential is not there yet.
    case credentialUnavailable
    /// `sign-in-needed`, 503: a sign-in for the upstream is needed.
    case signInNeeded
    /// `not-stored`, 504: nothing is stored for this request.
    case notStored
    /// `no-fixture`, 501: no fixture answers this request.
    case noFixture
    /// `internal-error`, 500: internal error.
    case internalError

    // The upstream's.
    /// `upstream-error`, 502 or the upstream's own status: the upstream answered with an error.
    case upstreamError
    /// `reported-error`, 502: the upstream reported an error with a status of success.
    case reportedError
    /// `bad-page`, 502: the upstream's next page cannot be asked for.
    case badPage
    /// `upstream-paused`, 503: the upstream asked for a pause.
    case upstreamPaused
    /// `upstream-protocol`, 502: the upstream's answer is not valid HTTP.
    case upstreamProtocol
    /// `upstream-truncated`, 502: the upstream's answer was cut short.
    case upstreamTruncated
    /// `type-mismatch`, 502: the upstream's answer is not of the declared type.
    case typeMismatch
    /// `missing-value`, 502: the upstream's answer lacks the wanted value.
    case missingValue
    /// `upstream-too-large`, 502: the upstream's answer exceeds a limit.
    case upstreamTooLarge
    /// `circuit-open`, 503: the upstream rests after failures.
    case circuitOpen

    // The network's.
    /// `connect-timeout`, 504: the upstream could not be reached in time.
    case connectTimeout
    /// `first-byte-timeout`, 504: the upstream did not answer in time.
    case firstByteTimeout
    /// `total-timeout`, 504: the exchange took too long.
    case totalTimeout
    /// `connection-refused`, 502: the upstream refused the connection.
    case connectionRefused
    /// `connection-reset`, 502: the upstream closed the connection.
    case connectionReset
    /// `unreachable`, 502: the upstream is unreachable.
    case unreachable
    /// `name-not-found`, 502: the upstream's name was not found.
    case nameNotFound
    /// `tls-failure`, 502: tLS with the upstream failed.
    case tlsFailure
    /// A kind that a later gateway may know, or `about:blank`; its name is kept.
    case unknown(String)

    /// Every kind with its name.
    static let named: KeyValuePairs<String, ProblemKind> = [
        "bad-request": .badRequest, "bad-parameters": .badParameters, "bad-body": .badBody,
        "unknown-route": .unknownRoute, "method-not-allowed": .methodNotAllowed, "host-not-served": .hostNotServed,
        "cross-origin": .crossOrigin, "unauthenticated": .unauthenticated, "forbidden": .forbidden,
        "rate-limited": .rateLimited, "client-too-slow": .clientTooSlow, "content-too-large": .contentTooLarge,
        "uri-too-long": .uriTooLong, "fields-too-large": .fieldsTooLarge,
        "unsupported-media-type": .unsupportedMediaType, "unsupported-content-coding": .unsupportedCoding,
        "expectation-failed": .expectationFailed, "request-timeout": .requestTimeout,
        "upgrade-required": .upgradeRequired, "unknown-method": .unknownMethod,
        "unsupported-version": .unsupportedVersion, "unknown-transfer-coding": .unknownTransferCoding,
        "overloaded": .overloaded, "draining": .draining, "no-bearer": .noBearer,
        "credential-unavailable": .credentialUnavailable, "sign-in-needed": .signInNeeded, "not-stored": .notStored,
        "no-fixture": .noFixture, "internal-error": .internalError, "upstream-error": .upstreamError,
        "reported-error": .reportedError,
        "bad-page": .badPage, "upstream-paused": .upstreamPaused, "upstream-protocol": .upstreamProtocol,
        "upstream-truncated": .upstreamTruncated, "type-mismatch": .typeMismatch, "missing-value": .missingValue,
        "upstream-too-large": .upstreamTooLarge, "circuit-open": .circuitOpen, "connect-timeout": .connectTimeout,
        "first-byte-timeout": .firstByteTimeout, "total-timeout": .totalTimeout,
        "connection-refused": .connectionRefused, "connection-reset": .connectionReset,
        "unreachable": .unreachable, "name-not-found": .nameNotFound, "tls-failure": .tlsFailure,
    ]

    private static let kinds = Dictionary(uniqueKeysWithValues: named.map { ($0.key, $0.value) })
    private static let names = Dictionary(uniqueKeysWithValues: named.map { ($0.value, $0.key) })

    /// The kind of that name; one that is not known is kept as ``unknown(_:)``.
    public init(_ name: String) {
        self = Self.kinds[name] ?? .unknown(name)
    }

    /// The last part of the problem's `type`.
    public var name: String {
        if case .unknown(let name) = self { name } else { Self.names[self] ?? "" }
    }

    /// Whether the gateway lacks a credential for the upstream: the detail says what to do.
    public var isAboutCredential: Bool {
        self == .noBearer || self == .credentialUnavailable || self == .signInNeeded
    }
}
