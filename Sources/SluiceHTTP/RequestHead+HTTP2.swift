internal import SluiceContract

// A head from an HTTP/2 field section (RFC 9113 §8.2, §8.3): pseudo-header fields take the place of the request line.
//
// The library has already checked that names and values are well-formed, that pseudo-header fields come first and only
// once, and that there are no connection-specific fields.
extension RequestHead {
    /// Adds the next field of the section.
    package mutating func take(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard name.first == UInt8(ascii: ":") else { return fields.appendLine(name: name, value: value) }
        let range = ByteRange(Int(fields.appendBytes(value)), value.count)
        switch name.count {
        case 5: targetRange = range  // :path
        case 7:
            // :method, :scheme
            if name[1] == UInt8(ascii: "m") {
                method = Method(value)
                methodRange = range
            } else {
                // Both schemes are accepted on any connection: see HTTP2.md.
                isForeignScheme = !value.equalsIgnoringCase("http") && !value.equalsIgnoringCase("https")
            }
        case 9: connectProtocol = value.equalsIgnoringCase("websocket") ? .webSocket : .other  // :protocol
        default: authorityRange = range  // :authority
        }
    }

    /// Called when the section is complete: collects the facts in one pass over the fields, and checks them.
    /// - Parameter isEnded: the request has no content (END_STREAM).
    package mutating func concludeHTTP2(isEnded: Bool, lineBytesMax: Int) throws(Refusal) {
        version = .http2
        keepAlive = true
        if connectProtocol != .none { try readExtendedConnect(isEnded: isEnded) }
        try readControlData(lineBytesMax: lineBytesMax)
        var facts = BodyFraming.Facts()
        var host: Int?
        var cookies = 0
        var expects = false
        for index in 0..<fields.count {
            switch fields[index].id {
            case .host:
                guard host == nil else { throw Refusal(.badRequest, "Host stands more than once (RFC 9110 §7.2).") }
                host = index
            case .contentLength:
                facts.contentLength = index
                facts.contentLengthCount += 1
            case .cookie: cookies += 1
            case .te: acceptsTrailers = true  // No other value is let through (RFC 9113 §8.2.2).
            case .expect:
                guard fields.value(index).equalsIgnoringCase("100-continue") else {
                    throw Refusal(.expectationFailed, "The only expectation known is 100-continue (RFC 9110 §10.1.1).")
                }
                if expects { fields.mark(index) }
                expects = true
            case .other: if FieldAlias.isAlias(fields.name(index)) { fields.mark(index) }
            default: break
            }
        }
        try readHostHTTP2(host)
        // After an extended CONNECT, the stream carries the bytes of the tunnel, or nothing.
        if connectProtocol == .none {
            framing = try BodyFraming.ofRequest(fields, facts, method: method, version: version)
            try frame(isEnded: isEnded)
            expectsContinue = expects && !isEnded
        }
        if cookies > 1 { joinCookies() }
    }

    private mutating func frame(isEnded: Bool) throws(Refusal) {
        if isEnded {
            if framing != .none { framing = .length(0) }
        } else {
            guard method != .connect, method != .trace else {
                throw Refusal(.badRequest, "TRACE and CONNECT have no content (RFC 9110 §9.3.6, §9.3.8).")
            }
            // The stream frames the content; its length is unknown, so it goes to an HTTP/1.1 upstream in chunks.
            if framing == .none { framing = .chunked }
        }
    }

    /// RFC 8441 §4: an extended CONNECT names its target as other requests do, and its stream becomes the tunnel.
    private mutating func readExtendedConnect(isEnded: Bool) throws(Refusal) {
        guard !isEnded else {
            throw Refusal(.badRequest, "The stream that asks for a tunnel has ended already (RFC 8441 §5).")
        }
        // Only the HTTP/1.1 handshake uses this key (RFC 8441 §5).
        fields.removeFields { $0.id == .secWebSocketKey }
        method = .get
        methodRange = ByteRange(Int(fields.appendBytes(UnsafeRawBufferPointer("GET"))), 3)
    }

    /// RFC 9113 §8.3.1, §8.5; the target has to meet the same rules as in HTTP/1.1.
    private mutating func readControlData(lineBytesMax: Int) throws(Refusal) {
        guard methodRange.count <= 32 else {
            throw Refusal(.unknownMethod, "The method is longer than any known (RFC 9110 §9.1).")
        }
        guard Int(methodRange.count) + Int(targetRange.count) <= lineBytesMax else {
            throw Refusal(.uriTooLong, "Method and target are longer than the limit allows (request-line).")
        }
        guard !isForeignScheme else {
            throw Refusal(.badRequest, "The scheme is neither http nor https (RFC 9113 §8.3.1).")
        }
        if authorityRange.count > 0 || method == .connect {
            guard let host = HostField(authority) else {
                throw Refusal(.badRequest, "The authority is not host or host:port (RFC 9110 §7.2).")
            }
            authorityRange = ByteRange(Int(authorityRange.offset), host.authority.count)
        }
        if method == .connect {
            targetRange = authorityRange
        } else if targetRange.count > 0, ![UInt8(ascii: "/"), UInt8(ascii: "*")].contains(target[0]) {
            throw Refusal(.badRequest, "The path does not begin with a slash (RFC 9113 §8.3.1).")
        }
        try readTarget(target, at: Int(targetRange.offset))
    }

    /// `Host` may repeat the authority, or take its place (RFC 9113 §8.3.1).
    private mutating func readHostHTTP2(_ index: Int?) throws(Refusal) {
        guard let index else {
            guard authorityRange.count > 0 else {
                throw Refusal(.badRequest, "Neither an authority nor Host says who is asked (RFC 9113 §8.3.1).")
            }
            return
        }
        guard let host = HostField(fields.value(index)) else {
            throw Refusal(.badRequest, "Host is not host or host:port (RFC 9110 §7.2).")
        }
        if authorityRange.count == 0 {
            authorityRange = ByteRange(Int(fields[index].valueOffset), host.authority.count)
        } else if !host.authority.equalsIgnoringCase(authority) {
            throw Refusal(.badRequest, "Host differs from the authority (RFC 9113 §8.3.1).")
        }
    }

    /// Joins the cookies, which may arrive as several fields, into one (RFC 9113 §8.2.3).
    private mutating func joinCookies() {
        let start = fields.byteCount
        var lead = true
        fields.appendBytes(UnsafeRawBufferPointer("cookie: "))
        for index in 0..<fields.count where fields[index].id == .cookie {
            if !lead { fields.appendBytes(UnsafeRawBufferPointer("; ")) }
            lead = false
            fields.appendOwn(at: Int(fields[index].valueOffset), count: Int(fields[index].valueCount))
        }
        let end = fields.byteCount
        fields.appendBytes(UnsafeRawBufferPointer("\r\n"))
        fields.removeFields { $0.id == .cookie }
        fields.appendField(
            HeaderBlock.Field(
                nameOffset: UInt32(start), nameCount: 6, id: .cookie, flags: 0, valueOffset: UInt32(start + 8),
                valueCount: UInt32(end - start - 8)))
    }
}

extension HeaderBlock {
    /// Copies bytes of the storage to its end.
    mutating func appendOwn(at offset: Int, count: Int) {
        // Growing would move the storage while its bytes are being copied, so room is made first.
        reserveBytes(count)
        appendBytes(bytes(at: offset, count: count))
    }
}
