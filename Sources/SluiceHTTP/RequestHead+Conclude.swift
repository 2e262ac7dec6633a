internal import SluiceContract

// Evaluates the fields of a complete HTTP/1.1 head: framing, connection options, host and expectations.
extension RequestHead {
    /// Collects the facts in one pass over the fields, and judges them.
    mutating func conclude() throws(Refusal) {
        var framingFacts = BodyFraming.Facts()
        var connection = ConnectionOptions()
        var host: Int?
        var hasUpgrade = false
        var expects = false
        for index in 0..<fields.count {
            switch fields[index].id {
            case .host:
                guard host == nil else { throw Refusal(.badRequest, "Host stands more than once (RFC 9112 §3.2).") }
                host = index
            case .contentLength:
                framingFacts.contentLength = index
                framingFacts.contentLengthCount += 1
            case .transferEncoding:
                framingFacts.transferEncoding = index
                framingFacts.transferEncodingCount += 1
            case .connection:
                guard connection.read(fields.value(index)) else {
                    throw Refusal(.badRequest, "Connection is not a list of tokens (RFC 9110 §7.6.1).")
                }
            case .te: readTE(fields.value(index))
            case .upgrade: hasUpgrade = true
            case .expect:
                guard fields.value(index).equalsIgnoringCase("100-continue") else {
                    throw Refusal(.expectationFailed, "The only expectation known is 100-continue (RFC 9110 §10.1.1).")
                }
                // A repeated expectation is still one expectation, but not every upstream accepts the repetition.
                if expects { fields.mark(index) }
                expects = true
            case .other:
                if FieldAlias.isAlias(fields.name(index)) { fields.mark(index) }
            default: break
            }
        }
        try readHost(host)
        framing = try BodyFraming.ofRequest(fields, framingFacts, method: method, version: version)
        // The bytes after CONNECT are meant for a tunnel: even if none is opened, they are not a request (RFC 9110
        // §9.3.6).
        keepAlive = connection.keepsAlive(version) && method != .connect
        // An HTTP/1.0 client can take neither an interim response, nor trailers, nor another protocol.
        let isModern = version != .http10
        upgrade = hasUpgrade && connection.hasUpgrade && isModern
        expectsContinue = expects && isModern && framing != .none && framing != .length(0)
        acceptsTrailers = acceptsTrailers && isModern
    }

    /// RFC 9112 §3.2: required and unique in HTTP/1.1, and always valid; an absolute-form target outranks it (§3.2.2).
    private mutating func readHost(_ index: Int?) throws(Refusal) {
        guard let index else {
            guard version == .http10 else { throw Refusal(.badRequest, "Host is missing (RFC 9112 §3.2).") }
            return
        }
        guard let host = HostField(fields.value(index)) else {
            throw Refusal(.badRequest, "Host is not host or host:port (RFC 9110 §7.2).")
        }
        if targetForm == .origin || targetForm == .asterisk {
            authorityRange = ByteRange(Int(fields[index].valueOffset), host.authority.count)
        }
    }

    private mutating func readTE(_ value: UnsafeRawBufferPointer) {
        var list = ListIterator(value, honoursQuotes: true)
        while let coding = list.next() {
            if coding.equalsIgnoringCase("trailers") { acceptsTrailers = true }
        }
    }
}
