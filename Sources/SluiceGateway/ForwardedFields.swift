internal import SluiceContract
internal import SluiceHTTP

/// Tells the upstream about the client: `X-Forwarded-*`, `Forwarded` (RFC 7239), or nothing.
enum ForwardedFields {
    static func write(_ exchange: Exchange, _ policy: Upstream.ForwardedFields, into out: inout Outbox) {
        guard let client = exchange.sink?.client else { return }
        switch policy {
        case .none, .pass: break
        case .xForwarded: writeX(exchange, client, into: &out)
        case .rfc7239: writeStandard(exchange, client, into: &out)
        case .both:
            writeX(exchange, client, into: &out)
            writeStandard(exchange, client, into: &out)
        }
    }

    /// Whether it is one of the others that programs behind proxies believe: `X-Forwarded-Port`, `X-Forwarded-Prefix`,
    /// …
    static func isOne(_ name: UnsafeRawBufferPointer) -> Bool {
        let prefix: StaticString = "x-forwarded-"
        guard name.count > prefix.utf8CodeUnitCount else { return false }
        return UnsafeRawBufferPointer(rebasing: name.prefix(prefix.utf8CodeUnitCount)).equalsIgnoringCase(prefix)
    }

    private static func writeX(_ exchange: Exchange, _ client: ClientInfo, into out: inout Outbox) {
        if !client.address.isEmpty {
            out.append("X-Forwarded-For: ")
            out.append(client.address)
            out.append("\r\n")
        }
        out.append(client.isTLS ? "X-Forwarded-Proto: https\r\n" : "X-Forwarded-Proto: http\r\n")
        out.append("X-Forwarded-Host: ")
        out.append(exchange.request.authority)
        out.append("\r\n")
    }

    private static func writeStandard(_ exchange: Exchange, _ client: ClientInfo, into out: inout Outbox) {
        out.append("Forwarded: for=")
        if client.address.isEmpty {
            // An identifier that is not known (RFC 7239 §6.2).
            out.append("unknown")
        } else if client.address.contains(UInt8(ascii: ":")) {
            out.append("\"[")
            out.append(client.address)
            out.append("]\"")
        } else {
            out.append(client.address)
        }
        out.append(client.isTLS ? ";proto=https;host=\"" : ";proto=http;host=\"")
        out.append(exchange.request.authority)
        out.append("\"\r\n")
    }
}
