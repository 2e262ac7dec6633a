internal import SluiceContract
internal import SluiceHTTP

/// A gRPC call over HTTP/2 (`upgrade: grpc`), as far as it concerns a proxy. Messages pass unchanged.
///
/// The protocol is described in "gRPC over HTTP2" of the gRPC project: the outcome of a call is in `grpc-status` and
/// `grpc-message`, in the trailers, or in the head of an answer without content.
enum GRPCCall {
    /// Whether a request is a gRPC call.
    static func isCall(_ request: borrowing RequestHead) -> Bool {
        guard request.version == .http2, request.method == .post,
            let index = request.fields.firstIndex(of: .contentType)
        else { return false }
        let value = request.fields.value(index)
        let name = Array("application/grpc".utf8)
        guard value.count >= name.count,
            UnsafeRawBufferPointer(rebasing: value.prefix(name.count)).equalsIgnoringCase(name)
        else { return false }
        // application/grpc+proto also counts; application/grpc-web is another protocol.
        return value.count == name.count || [UInt8(ascii: "+"), UInt8(ascii: ";")].contains(value[name.count])
    }

    /// Why a request is no gRPC call; nil where it is one.
    static func problem(of request: borrowing RequestHead) -> Problem? {
        if isCall(request) { return nil }
        // RFC 9220 §3.
        if request.connectProtocol != .none {
            return Problem(.unknownMethod, detail: "A gRPC call is a POST, and opens no tunnel.")
        }
        if request.version != .http2 {
            return Problem(
                .unsupportedVersion,
                detail: "gRPC needs HTTP/2, and this request came in HTTP/1; use a gRPC client, or curl with "
                    + "--http2-prior-knowledge.")
        }
        if request.method != .post {
            var problem = Problem(.methodNotAllowed, detail: "A gRPC call is a POST.")
            problem.allow = ["POST"]
            return problem
        }
        return Problem(.unsupportedMediaType, detail: "A gRPC call has the content type application/grpc.")
    }

    /// The gRPC status code that describes the problem best.
    static func status(of problem: Problem) -> Int {
        switch problem.kind {
        case .badRequest, .badParameters, .badBody: 3  // INVALID_ARGUMENT
        case .firstByteTimeout, .totalTimeout, .requestTimeout, .clientTooSlow: 4  // DEADLINE_EXCEEDED
        case .forbidden, .crossOrigin: 7  // PERMISSION_DENIED
        case .rateLimited, .contentTooLarge, .fieldsTooLarge, .upstreamTooLarge: 8  // RESOURCE_EXHAUSTED
        case .unknownRoute, .methodNotAllowed, .unknownMethod, .unsupportedVersion: 12  // UNIMPLEMENTED
        case .unauthenticated: 16  // UNAUTHENTICATED
        case .overloaded, .draining, .noBearer, .credentialUnavailable, .signInNeeded, .upstreamPaused, .circuitOpen,
            .connectTimeout, .connectionRefused, .connectionReset, .unreachable, .nameNotFound, .tlsFailure:
            14  // UNAVAILABLE
        default: 13  // INTERNAL
        }
    }

    /// Appends `grpc-status` and `grpc-message`.
    static func append(_ problem: Problem, to fields: inout HeaderBlock) {
        append("grpc-status", String(status(of: problem)), to: &fields)
        append("grpc-message", message(problem.detail), to: &fields)
    }

    private static func append(_ name: String, _ value: String, to fields: inout HeaderBlock) {
        Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { fields.append(name: name, value: $0) }
        }
    }

    /// Percent-encodes everything but printable ASCII.
    static func message(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var encoded = ""
        for byte in text.utf8 {
            if (0x20...0x7e).contains(byte), byte != UInt8(ascii: "%") {
                encoded.append(Character(UnicodeScalar(byte)))
            } else {
                encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return encoded
    }
}
