/// What went wrong, by the last part of a problem's `type` ([PROBLEMS.md](../../../docs/PROBLEMS.md)).
public enum ProblemKind: Hashable, Sendable {
    // The client's.
    case badRequest, badParameters, badBody, unknownRoute, methodNotAllowed, hostNotServed, crossOrigin
    case unauthenticated, forbidden, rateLimited, clientTooSlow, contentTooLarge, uriTooLong, fieldsTooLarge
    case unsupportedMediaType, unsupportedCoding, expectationFailed, requestTimeout, upgradeRequired, unknownMethod
    case unsupportedVersion, unknownTransferCoding
    // The gateway's.
    case overloaded, draining, noBearer, credentialUnavailable, signInNeeded, notStored, noFixture, internalError
    // The upstream's.
    case upstreamError, reportedError, badPage, upstreamPaused, upstreamProtocol, upstreamTruncated, typeMismatch
    case missingValue, upstreamTooLarge, circuitOpen
    // The network's.
    case connectTimeout, firstByteTimeout, totalTimeout, connectionRefused, connectionReset, unreachable
    case nameNotFound, tlsFailure
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

    public init(_ name: String) {
        self = Self.kinds[name] ?? .unknown(name)
    }

    /// The last part of the problem's `type`.
    public var name: String {
        if case .unknown(let name) = self { name } else { Self.names[self] ?? "" }
    }

    /// Whether the gateway lacks a credential for the upstream: what somebody has to do stands in the detail.
    public var isAboutCredential: Bool {
        self == .noBearer || self == .credentialUnavailable || self == .signInNeeded
    }
}
