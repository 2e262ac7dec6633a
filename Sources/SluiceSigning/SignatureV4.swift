public import SluiceContract

/// AWS Signature Version 4 in the fields of a request ("Signing AWS API requests", IAM User Guide).
///
/// Signs exactly the given request: the caller has to send the same method, target and field values, and none of the
/// client's fields with the names that are written here.
public struct SignatureV4: Sendable {
    /// How the path is written in the canonical request.
    public enum PathStyle: Sendable {
        /// Encoded once and otherwise unchanged: names of S3 objects may hold `//` and `..`.
        case object
        /// Dot segments and empty segments are removed, and the path as sent is encoded once more: for all other
        /// services.
        case normalised
    }

    /// How the signature covers the content.
    public enum Payload: Sendable {
        /// By the SHA-256 of the content, 32 bytes.
        case digest([UInt8])
        /// Not at all: `UNSIGNED-PAYLOAD`, for services that accept it, over TLS.
        case unsigned
    }

    /// The key that signs the requests of one day (UTC). Deriving it takes four HMACs, so the caller should keep it.
    public struct DayKey: Sendable {
        /// Days since 1970.
        public let day: Int
        let secret: SecretBytes

        /// - Parameter now: seconds since 1970.
        public func isCurrent(at now: Int) -> Bool { day == SignatureV4.day(of: now) }
    }

    private static let objectServices: Set = ["s3", "s3-object-lambda", "s3-outposts"]

    let service: [UInt8]
    let region: [UInt8]
    let accessKey: [UInt8]
    let secretKey: SecretBytes
    let sessionToken: SecretBytes?
    let pathStyle: PathStyle

    /// - Parameters:
    ///   - service: the service's name in the credential scope: `s3`, `execute-api`, …
    ///   - sessionToken: the session token of temporary credentials.
    ///   - pathStyle: nil to choose the style by the service.
    /// - Throws: ``SignatureV4Error`` for a part that cannot be sent in a field.
    public init(
        service: String, region: String, accessKey: String, secretKey: SecretBytes, sessionToken: SecretBytes? = nil,
        pathStyle: PathStyle? = nil
    ) throws(SignatureV4Error) {
        self.service = try Self.checked(service, .service)
        self.region = try Self.checked(region, .region)
        self.accessKey = try Self.checked(accessKey, .accessKey)
        guard secretKey.count > 0 else { throw SignatureV4Error(part: .secretKey) }
        self.secretKey = secretKey
        let isSendable = sessionToken?.withUnsafeBytes { !$0.isEmpty && $0.allSatisfy(Self.isVisible) } ?? true
        guard isSendable else { throw SignatureV4Error(part: .sessionToken) }
        self.sessionToken = sessionToken
        self.pathStyle = pathStyle ?? (Self.objectServices.contains(service) ? .object : .normalised)
    }

    /// The key for the day that `now` is in, seconds since 1970.
    public func dayKey(at now: Int) -> DayKey {
        let first = SecretBytes(capacity: 4 + secretKey.count) { buffer in
            buffer.copyBytes(from: "AWS4".utf8)
            secretKey.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[4...]).copyMemory(from: $0) }
            return buffer.count
        }
        let scope = [Array(DateText.basic(now).prefix(8)), region, service, Array("aws4_request".utf8)]
        let key = scope.reduce(first) { key, part in
            SecretBytes(capacity: HashFunction.sha256.digestBytes) { buffer in
                part.withUnsafeBytes { part in
                    key.withUnsafeBytes {
                        HashFunction.sha256.authenticationCode(of: part, key: $0, into: buffer)
                    }
                }
                return buffer.count
            }
        }
        return DayKey(day: Self.day(of: now), secret: key)
    }

    /// The fields that sign a request, as lines of HTTP/1.1 with their ends: `Authorization`, `X-Amz-Date`, with a
    /// session token `X-Amz-Security-Token`, and `X-Amz-Content-Sha256` for S3 and for content that is not signed.
    /// - Parameters:
    ///   - request: all its fields are signed except those in the list above and `Host`; the request's `host` is signed
    ///     instead.
    ///   - now: seconds since 1970.
    ///   - key: from ``dayKey(at:)``; a key of another day is ignored, and the right one is derived anew.
    public func lines(for request: RequestToSign, payload: Payload, at now: Int, key: DayKey) -> [UInt8] {
        let request = CanonicalRequest(request, self, payload, date: DateText.basic(now))
        let signature = sign(request, key.isCurrent(at: now) ? key : dayKey(at: now))
        var lines: [UInt8] = []
        lines.reserveCapacity(400 + request.signedNames.count + (sessionToken?.count ?? 0))
        lines += "Authorization: AWS4-HMAC-SHA256 Credential=".utf8
        lines += accessKey
        lines.append(UInt8(ascii: "/"))
        appendScope(request.date, to: &lines)
        lines += ", SignedHeaders=".utf8
        lines += request.signedNames
        lines += ", Signature=".utf8
        Hexadecimal.append(signature, to: &lines)
        lines += "\r\nX-Amz-Date: ".utf8
        lines += request.date
        if let sessionToken {
            lines += "\r\nX-Amz-Security-Token: ".utf8
            sessionToken.withUnsafeBytes { lines += $0 }
        }
        if sendsContentHash(payload) {
            lines += "\r\nX-Amz-Content-Sha256: ".utf8
            lines += request.contentHash
        }
        lines += "\r\n".utf8
        return lines
    }

    func sendsContentHash(_ payload: Payload) -> Bool {
        if case .unsigned = payload { return true }
        return pathStyle == .object
    }

    private func sign(_ request: CanonicalRequest, _ key: DayKey) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(200)
        text += "AWS4-HMAC-SHA256\n".utf8
        text += request.date
        text.append(UInt8(ascii: "\n"))
        appendScope(request.date, to: &text)
        text.append(UInt8(ascii: "\n"))
        Hexadecimal.append(HashFunction.sha256.digest(of: request.text), to: &text)
        return HashFunction.sha256.authenticationCode(of: text, key: key.secret)
    }

    /// `20150830/us-east-1/iam/aws4_request`.
    private func appendScope(_ date: [UInt8], to text: inout [UInt8]) {
        text += date[..<8]
        text.append(UInt8(ascii: "/"))
        text += region
        text.append(UInt8(ascii: "/"))
        text += service
        text += "/aws4_request".utf8
    }

    private static func day(of now: Int) -> Int { (now - (now % 86_400 + 86_400) % 86_400) / 86_400 }
}

extension SignatureV4 {
    /// Checks a part of the scope or of `Credential=`, where slashes and commas are separators.
    private static func checked(_ text: String, _ part: SignatureV4Error.Part) throws(SignatureV4Error) -> [UInt8] {
        let bytes = Array(text.utf8)
        let isUsable = bytes.allSatisfy { isVisible($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ",") }
        guard !bytes.isEmpty, isUsable else { throw SignatureV4Error(part: part) }
        return bytes
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }
}

/// A part of AWS credentials is unusable.
public struct SignatureV4Error: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Part: String, Sendable {
        case service, region
        case accessKey = "access key"
        case secretKey = "secret key"
        case sessionToken = "session token"
    }

    public let part: Part

    public var description: String {
        "the \(part.rawValue) is empty or holds a blank, a control character or a separator: copy it as AWS shows it"
    }
}
