internal import SluiceContract
internal import SluiceHTTP

/// Which fields carry credentials, and what of them an upstream may echo.
enum SecretField {
    static func isOne(_ id: FieldID, _ name: String, _ value: UnsafeRawBufferPointer) -> Bool {
        switch id {
        case .authorization, .proxyAuthorization, .cookie, .setCookie, .xAPIKey, .authenticationInfo,
            .proxyAuthenticationInfo, .signature:
            true
        // What a server asks for is no secret; nor is a key that only tells two messages apart.
        case .wwwAuthenticate, .proxyAuthenticate, .signatureInput, .idempotencyKey, .secWebSocketKey,
            .accessControlAllowCredentials:
            false
        // Some APIs take a token there, because browsers let pages set no other field.
        case .secWebSocketProtocol: value.count > protocolMax
        default: SensitiveName.matches(field: name) || ["dpop", "jwt"].contains { name.lowercased().contains($0) }
        }
    }

    /// Names of protocols are shorter.
    private static let protocolMax = 32

    /// A client's own credentials may be echoed, too.
    static func insert(_ value: UnsafeRawBufferPointer, of id: FieldID, into mask: inout CredentialMask) {
        switch id {
        case .cookie:
            var cookies = CookieIterator(value)
            while let cookie = cookies.next() {
                if cookie.value.count >= CredentialMask.cookieCountMin { mask.insert(cookie.value) }
            }
        case .authorization, .proxyAuthorization, .xAPIKey: mask.insert(field: value)
        case .setCookie: break
        // What only sounds like a credential may be a word that stands in every text.
        default: if value.count >= CredentialMask.cookieCountMin { mask.insert(value) }
        }
    }

    /// Values of a query that sound like credentials.
    /// - Parameter kept: names that only sound like them.
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
