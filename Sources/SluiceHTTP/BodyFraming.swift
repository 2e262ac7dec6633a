internal import SluiceContract

/// How the end of a message's content is found. This file is the only place that decides it (RFC 9112 §6.3).
public enum BodyFraming: Equatable, Sendable {
    /// No content, and no field that announces any.
    case none
    /// `Content-Length`, bytes.
    case length(Int)
    case chunked
    /// Up to the end of the connection: responses and tunnels only.
    case untilClose

    /// The positions of the framing fields in a head, and how often each occurs.
    struct Facts {
        var contentLength: Int?
        var contentLengthCount = 0
        var transferEncoding: Int?
        var transferEncodingCount = 0
    }

    /// The framing of a request. An ambiguous framing is refused, however harmless it looks (RFC 9112 §6.1, §6.3,
    /// §11.2).
    static func ofRequest(
        _ fields: borrowing HeaderBlock, _ facts: Facts, method: Method, version: HTTPVersion
    ) throws(Refusal) -> BodyFraming {
        if method == .trace || method == .connect, facts.transferEncoding != nil || facts.contentLength != nil {
            throw Refusal(.badRequest, "TRACE and CONNECT have no content (RFC 9110 §9.3.6, §9.3.8).")
        }
        if let index = facts.transferEncoding {
            guard facts.contentLength == nil else {
                throw Refusal(
                    .badRequest, "Both Transfer-Encoding and Content-Length frame the content (RFC 9112 §6.1).")
            }
            guard version != .http10 else {
                throw Refusal(.badRequest, "HTTP/1.0 has no Transfer-Encoding (RFC 9112 §6.1).")
            }
            guard facts.transferEncodingCount == 1 else {
                throw Refusal(.badRequest, "Transfer-Encoding stands more than once (RFC 9112 §6.1).")
            }
            switch coding(fields.value(index)) {
            case .chunked: return .chunked
            case .misapplied:
                throw Refusal(.badRequest, "Transfer-Encoding must be chunked, once and last (RFC 9112 §6.1, §6.3).")
            case .unknown:
                throw Refusal(.unknownTransferCoding, "The only transfer coding known here is chunked (RFC 9112 §6.1).")
            }
        }
        guard let index = facts.contentLength else { return .none }
        guard facts.contentLengthCount == 1 else {
            throw Refusal(.badRequest, "Content-Length stands more than once (RFC 9112 §6.3).")
        }
        guard let length = contentLength(fields.value(index)) else {
            throw Refusal(.badRequest, "Content-Length is not one decimal number (RFC 9110 §8.6).")
        }
        return .length(length)
    }

    /// The framing of a response to a request with `method`; `.untilClose` for the tunnel behind a 2xx to CONNECT.
    static func ofResponse(
        _ fields: borrowing HeaderBlock, _ facts: Facts, status: Int, to method: Method, version: HTTPVersion
    ) throws(Malformed) -> BodyFraming {
        // Responses to HEAD, and 304 responses, may carry framing fields although they have no content (RFC 9110 §8.6).
        // Other responses without content may not.
        let hasNoContent = status < 200 || status == 204
        if let index = facts.transferEncoding {
            guard facts.contentLength == nil else {
                throw Malformed("The response has both Transfer-Encoding and Content-Length.")
            }
            guard version != .http10 else { throw Malformed("The HTTP/1.0 response has a Transfer-Encoding.") }
            guard !hasNoContent else {
                throw Malformed("The response has a Transfer-Encoding where its status allows no content.")
            }
            guard facts.transferEncodingCount == 1, coding(fields.value(index)) == .chunked else {
                throw Malformed("The response's Transfer-Encoding is not chunked.")
            }
            return method == .head || status == 304 ? .none : isTunnel(status, method) ? .untilClose : .chunked
        }
        if let index = facts.contentLength {
            guard facts.contentLengthCount == 1, let length = contentLength(fields.value(index)) else {
                throw Malformed("The response's Content-Length is not one decimal number.")
            }
            guard !hasNoContent || length == 0 else {
                throw Malformed("The response has a Content-Length where its status allows no content.")
            }
            if hasNoContent || method == .head || status == 304 { return .none }
            return isTunnel(status, method) ? .untilClose : .length(length)
        }
        return hasNoContent || method == .head || status == 304 ? .none : .untilClose
    }

    /// A 2xx to CONNECT makes the connection a tunnel, whatever its fields say (RFC 9110 §9.3.6).
    private static func isTunnel(_ status: Int, _ method: Method) -> Bool {
        method == .connect && (200..<300).contains(status)
    }

    enum Coding {
        case chunked, unknown
        /// Empty, chunked more than once, or chunked before something else: the end of the content is then undefined.
        case misapplied
    }

    /// Coding names are case-insensitive (RFC 9112 §7); chunked takes no parameters (§7.1).
    private static func coding(_ value: UnsafeRawBufferPointer) -> Coding {
        if value.equalsIgnoringCase("chunked") { return .chunked }
        var list = ListIterator(value, honoursQuotes: true)
        var hasChunked = false
        var hasOthers = false
        var endsWithChunked = false
        while let element = list.next() {
            endsWithChunked = element.equalsIgnoringCase("chunked")
            if endsWithChunked { hasChunked = true } else { hasOthers = true }
        }
        // Without other codings, only oddities such as "chunked," and "chunked, chunked" remain.
        return hasOthers && (endsWithChunked || !hasChunked) ? .unknown : .misapplied
    }

    /// `1*DIGIT` (RFC 9110 §8.6), so leading zeros are valid. Some programs read such a number as octal, but the zeros
    /// are not forwarded: the field is written anew.
    private static func contentLength(_ value: UnsafeRawBufferPointer) -> Int? {
        let zeros = value.prefix { $0 == UInt8(ascii: "0") }.count
        return DecimalNumber.parse(value.part(min(zeros, max(0, value.count - 1)), value.count))
    }
}
