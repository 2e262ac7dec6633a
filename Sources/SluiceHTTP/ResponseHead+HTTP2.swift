// A head from an HTTP/2 field section (RFC 9113 §8.2, §8.3.2): `:status` takes the place of the status line.
//
// The library has already checked that names and values are well-formed, that `:status` comes first and only once, and
// that there are no connection-specific fields.
extension ResponseHead {
    /// Adds the next field of the section.
    package mutating func take(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard name.first == UInt8(ascii: ":") else { return fields.appendLine(name: name, value: value) }
        status = value.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    /// Called when the section is complete: collects the facts in one pass over the fields, and checks them.
    /// - Parameter isEnded: the response has no content (END_STREAM).
    package mutating func concludeHTTP2(to method: Method, isEnded: Bool) throws(Malformed) {
        version = .http2
        keepAlive = true
        guard (100...599).contains(status) else { throw Malformed("The status code is not between 100 and 599.") }
        var facts = BodyFraming.Facts()
        for index in 0..<fields.count where fields[index].id == .contentLength {
            facts.contentLength = index
            facts.contentLengthCount += 1
        }
        framing = try BodyFraming.ofResponse(fields, facts, status: status, to: method, version: version)
        switch framing {
        case .untilClose: framing = isEnded ? .none : .chunked
        case .length(let length) where isEnded && length > 0:
            throw Malformed("The response ends before the content that its Content-Length announces.")
        default: break
        }
    }
}
