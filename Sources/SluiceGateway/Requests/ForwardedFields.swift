internal import SluiceCache
internal import SluiceContract
internal import SluiceHTTP

/// The client as the upstream is told of it: the source for `Host` and the forwarded fields.
struct ForwardedClient {
    private let request: Borrowed<BoundRequest>
    private let rule: ForwardedRule

    init(_ request: BoundRequest, _ rule: ForwardedRule) {
        self.request = Borrowed(request)
        self.rule = rule
    }

    var hasAddress: Bool { rule.told.contains(.for) }

    /// Passes on the address, where the upstream is told it; it is empty for a Unix socket.
    func withAddress(_ body: ([UInt8]) -> Void) {
        guard hasAddress else { return }
        request { request in
            if let client = request.client.borrowed { client { body($0.address) } } else { body([]) }
        }
    }

    var host: UnsafeRawBufferPointer? { rule.told.contains(.host) ? request({ $0.head.authority }) : nil }
    var isSecure: Bool? { rule.told.contains(.proto) ? request({ $0.client?.isTLS ?? false }) : nil }

    /// Adds everything that the upstream is told to a key.
    func combine(into hash: inout SipHash) {
        withAddress { $0.withUnsafeBytes { hash.combine(run: $0) } }
        if let host { hash.combine(run: host) }
        if let isSecure { hash.combine(isSecure ? 1 : 0) }
        if !rule.passed.isEmpty { request { combinePassed(of: $0.head.fields, into: &hash) } }
    }

    private func combinePassed(of fields: borrowing HeaderBlock, into hash: inout SipHash) {
        for index in 0..<fields.count where rule.passes(fields[index].id, fields.name(index)) == true {
            hash.combine(run: fields.name(index))
            hash.combine(run: fields.value(index))
        }
    }
}

extension ForwardedRule {
    /// Whether a field of the client goes upstream; nil where the field says nothing about clients.
    func passes(_ id: FieldID, _ name: @autoclosure () -> UnsafeRawBufferPointer) -> Bool? {
        ForwardedFields.parameters(of: id, name()).map { passed.isSuperset(of: $0) }
    }
}

/// Tells the upstream about the client: `X-Forwarded-*`, `Forwarded` (RFC 7239), or nothing.
enum ForwardedFields {
    /// What a field says about a client; nil where it says nothing. Other `X-Forwarded-…` fields, which programs behind
    /// a proxy trust, count as an address.
    static func parameters(
        of id: FieldID, _ name: @autoclosure () -> UnsafeRawBufferPointer
    ) -> ForwardedParameters? {
        switch id {
        case .xForwardedHost: .host
        case .xForwardedProto: .proto
        case .xForwardedFor, .xRealIP: .for
        case .forwarded: .all
        case .other where isExtension(name()): .for
        default: nil
        }
    }

    /// `X-Forwarded-Port`, `X-Forwarded-Prefix` and the like.
    private static func isExtension(_ name: UnsafeRawBufferPointer) -> Bool {
        let prefix: StaticString = "x-forwarded-"
        return name.count > prefix.utf8CodeUnitCount
            && UnsafeRawBufferPointer(rebasing: name[..<prefix.utf8CodeUnitCount]).equalsIgnoringCase(prefix)
    }

    static func write(_ client: ForwardedClient, _ policy: Upstream.ForwardedFields, into out: inout Outbox) {
        switch policy {
        case .none, .pass: break
        case .xForwarded: writeX(client, into: &out)
        case .rfc7239: writeStandard(client, into: &out)
        case .both:
            writeX(client, into: &out)
            writeStandard(client, into: &out)
        }
    }

    private static func writeX(_ client: ForwardedClient, into out: inout Outbox) {
        client.withAddress { address in
            if address.isEmpty { return }
            out.append("X-Forwarded-For: ")
            out.append(address)
            out.append("\r\n")
        }
        if let isSecure = client.isSecure {
            out.append(isSecure ? "X-Forwarded-Proto: https\r\n" : "X-Forwarded-Proto: http\r\n")
        }
        if let host = client.host {
            out.append("X-Forwarded-Host: ")
            out.append(host)
            out.append("\r\n")
        }
    }

    private static func writeStandard(_ client: ForwardedClient, into out: inout Outbox) {
        var separator: StaticString = "Forwarded: "
        func begin(_ name: StaticString, into out: inout Outbox) {
            out.append(separator)
            out.append(name)
            separator = ";"
        }
        client.withAddress { address in
            begin("for=", into: &out)
            writeNode(address, into: &out)
        }
        if let isSecure = client.isSecure {
            begin("proto=", into: &out)
            out.append(isSecure ? "https" : "http")
        }
        if let host = client.host {
            begin("host=\"", into: &out)
            out.append(host)
            out.append("\"")
        }
        if separator.utf8CodeUnitCount == 1 { out.append("\r\n") }
    }

    private static func writeNode(_ address: [UInt8], into out: inout Outbox) {
        if address.isEmpty {
            // The identifier for an unknown client (RFC 7239 §6.2).
            out.append("unknown")
        } else if address.contains(UInt8(ascii: ":")) {
            out.append("\"[")
            out.append(address)
            out.append("]\"")
        } else {
            out.append(address)
        }
    }
}
