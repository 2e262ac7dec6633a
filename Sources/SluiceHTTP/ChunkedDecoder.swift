/// The chunked transfer coding, decoded (RFC 9112 §7.1); the same for requests and responses.
struct ChunkedDecoder {
    enum Step {
        case needMore
        /// Chunk data, valid until the next input is fed.
        case data(UnsafeRawBufferPointer)
        /// The trailers are filled.
        case end
        case refused(Fault)
    }

    private enum Phase {
        case size
        case data(left: Int)
        case dataEnd
        case trailers
    }

    private var phase = Phase.size
    private var section = FieldSection()
    /// Extension bytes in excess of the chunk data they came with: a sender may not make us read framing alone.
    private var extensionExcess = 0

    mutating func next(
        _ input: inout InputBuffer, trailers: inout HeaderBlock, limits: borrowing HTTP1Limits
    ) -> Step {
        while true {
            switch phase {
            case .size:
                switch ChunkLine.parse(input.unread, extensionLimit: limits.chunkExtensionBytes) {
                case .needMore: return .needMore
                case .refused(let fault): return .refused(fault)
                case .line(let line):
                    input.consume(line.length)
                    guard count(extensions: line, limit: limits.chunkExtensionBytes) else {
                        return .refused(.extensionsTooLarge)
                    }
                    beginChunk(line.size, &trailers)
                }
            case .data(let left):
                guard input.count > 0 else { return .needMore }
                let data = input.take(min(left, input.count))
                phase = data.count == left ? .dataEnd : .data(left: left - data.count)
                return .data(data)
            case .dataEnd:
                switch Self.readLineEnd(input.unread) {
                case .some(true):
                    input.consume(2)
                    phase = .size
                case .some(false): return .refused(.noLineEnd)
                case .none: return .needMore
                }
            case .trailers:
                return readTrailers(&input, &trailers, limits)
            }
        }
    }

    private mutating func beginChunk(_ size: Int, _ trailers: inout HeaderBlock) {
        guard size == 0 else {
            phase = .data(left: size)
            return
        }
        trailers.removeAll()
        section = FieldSection()
        phase = .trailers
    }

    private mutating func count(extensions line: ChunkLine, limit: Int) -> Bool {
        extensionExcess = max(0, extensionExcess + line.extensionCount - line.size)
        return extensionExcess <= limit
    }

    private mutating func readTrailers(
        _ input: inout InputBuffer, _ trailers: inout HeaderBlock, _ limits: borrowing HTTP1Limits
    ) -> Step {
        let bytes = input.unread
        let step = section.parse(
            bytes, at: 0, into: &trailers,
            limits: FieldSection.Limits(bytes: limits.trailerBytes, count: limits.headerCount))
        switch step {
        case .needMore: return .needMore
        case .refused(let fault): return .refused(.field(fault))
        case .end:
            trailers.appendBytes(bytes.part(0, section.parsed))
            input.consume(section.parsed)
            trailers.removeFields { $0.id.isForbiddenInTrailers }
            phase = .size
            return .end
        }
    }

    /// Whether CRLF comes next; nil while too few bytes have arrived to tell.
    private static func readLineEnd(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        guard let first = bytes.first else { return nil }
        guard first == .cr else { return false }
        return bytes.count < 2 ? nil : bytes[1] == .lf
    }

    enum Fault: Equatable {
        case noSize, sizeTooLarge, invalidLine, bareLF, noLineEnd, invalidExtension, extensionsTooLarge
        case field(FieldSection.Fault)

        var reason: StaticString {
            switch self {
            case .noSize: "A chunk does not begin with its size in hexadecimal digits (RFC 9112 §7.1)."
            case .sizeTooLarge: "A chunk size has too many digits (RFC 9112 §7.1)."
            case .invalidLine: "A chunk size is not followed by CRLF or an extension (RFC 9112 §7.1)."
            case .bareLF: "A chunk line ends without CRLF (RFC 9112 §2.2, §7.1)."
            case .noLineEnd: "Chunk data is not followed by CRLF (RFC 9112 §7.1)."
            case .invalidExtension: "A chunk extension is malformed (RFC 9112 §7.1.1)."
            case .extensionsTooLarge: "Chunk extensions are larger than the limit allows (RFC 9112 §7.1.1)."
            case .field(let fault): fault.reason
            }
        }

        var isFieldLimit: Bool {
            if case .field(let fault) = self { fault.isLimit } else { false }
        }
    }
}

extension FieldID {
    /// Fields for framing, routing, request modification, authentication and content handling mean something else when
    /// they come after the content: they are dropped (RFC 9110 §6.5.1).
    package var isForbiddenInTrailers: Bool {
        switch self {
        case .host, .connection, .contentLength, .transferEncoding, .te, .trailer, .upgrade, .keepAlive,
            .proxyConnection, .expect, .maxForwards, .via, .forwarded, .xForwardedFor, .xForwardedHost,
            .xForwardedProto, .xRealIP, .http2Settings, .contentType, .contentEncoding, .contentRange, .range,
            .authorization, .proxyAuthorization, .proxyAuthenticate, .wwwAuthenticate, .cookie, .setCookie, .xAPIKey,
            .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .cacheControl, .pragma, .age,
            .expires, .vary, .date, .location, .retryAfter, .origin:
            true
        default: false
        }
    }
}
