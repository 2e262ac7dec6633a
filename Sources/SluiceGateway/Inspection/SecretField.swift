internal import SluiceContract
internal import SluiceHTTP

/// Which fields carry credentials, and which of their values an upstream may echo.
enum SecretField {
    static func isOne(_ id: FieldID, _ name: String, _ value: UnsafeRawBufferPointer) -> Bool {
        switch id {
        case .authorization, .proxyAuthorization, .cookie, .setCookie, .xAPIKey, .authenticationInfo,
            .proxyAuthenticationInfo, .signature:
            true
        // A server's challenge is no secret; nor is a key that only tells two messages apart.
        case .wwwAuthenticate, .proxyAuthenticate, .signatureInput, .idempotencyKey, .secWebSocketKey,
            .accessControlAllowCredentials:
            false
        // Some APIs take a token in this field, because browsers let pages set no other.
        case .secWebSocketProtocol: value.count > protocolMax
        default: SensitiveName.matches(field: name) || ["dpop", "jwt"].contains { name.lowercased().contains($0) }
        }
    }

    /// Longer than names of protocols.
    private static let protocolMax = 32

    /// Adds a field's value to the mask: the client's own credentials may be echoed too.
    static func insert(_ value: UnsafeRawBufferPointer, of id: FieldID, into mask: inout CredentialMask) {
        switch id {
        case .cookie:
            var cookies = CookieIterator(value)
            while let cookie = cookies.next() {
                if cookie.value.count >= CredentialMask.cookieCountMin { mask.insert(cookie.value) }
            }
        case .authorization, .proxyAuthorization, .xAPIKey: mask.insert(field: value)
        case .setCookie: break
        // The name only suggests a credential: a short value may be a common word.
        default: if value.count >= CredentialMask.cookieCountMin { mask.insert(value) }
        }
    }

    /// Adds values of a query whose names are typical of credentials.
    /// - Parameter kept: names that only look like those of credentials.
    static func insert(
        query: UnsafeRawBufferPointer, except kept: Set<String> = [], into mask: inout CredentialMask
    ) {
        var rest = QueryIterator(query)
        while let pair = rest.next() {
            guard pair.value.count >= CredentialMask.cookieCountMin, SensitiveName.matches(pair.name),
                kept.isEmpty || !kept.contains(String(decoding: pair.name, as: UTF8.self))
            else { continue }
            mask.insert(pair.value)
        }
    }
}
