public import SluiceContract

/// Request signatures of the kind that many APIs define for themselves: an HMAC over some parts of the request, sent in
/// a field.
public struct HTTPSignatureHMAC: Sendable {
    /// A part of the text that is signed.
    public enum Part: Hashable, Sendable {
        case method
        /// `get`, as in drafts of HTTP Signatures.
        case lowercaseMethod
        /// The path as it is sent, up to the `?`.
        case path
        /// The query as it is sent, after the `?`; empty where there is none.
        case query
        /// Path and query as they are sent.
        case target
        case host
        /// The value of a field; it may be one of ``Scheme/fields``. Empty where there is no field of that name, joined
        /// by `, ` where there are several.
        case header(String)
        case date
        case nonce
        case bodyHash
        /// This literal text.
        case text(String)
    }

    public enum DateFormat: Sendable {
        /// Since 1970.
        case epochSeconds
        /// Since 1970.
        case epochMilliseconds
        /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
        case http
    }

    public enum Encoding: Sendable {
        /// In lower case.
        case hex
        /// With padding (RFC 4648 §4).
        case base64
        /// Without padding (RFC 4648 §5).
        case base64url
    }

    /// A field that is added to the request.
    public struct Field: Hashable, Sendable {
        public var name: String
        /// With `{key-id}`, `{signature}`, `{date}`, `{nonce}` and `{body-hash}` in it: `HMAC {key-id}:{signature}`.
        public var template: String

        public init(_ name: String, _ template: String) {
            self.name = name
            self.template = template
        }
    }

    /// The signature scheme of an API.
    public struct Scheme: Hashable, Sendable {
        public var parts: [Part]
        /// The text between two parts.
        public var separator = "\n"
        public var function = HashFunction.sha256
        /// Whether SHA-1 may be used; it is refused otherwise.
        public var allowsSHA1 = false
        public var encoding = Encoding.hex
        public var dateFormat = DateFormat.epochSeconds
        public var bodyHash = HashFunction.sha256
        public var bodyHashEncoding = Encoding.hex
        public var fields: [Field]

        public init(parts: [Part], fields: [Field]) {
            self.parts = parts
            self.fields = fields
        }
    }

    /// Where the value of a part is looked up.
    private enum Source {
        case part(Part)
        /// A field of the request, with its name in lower case.
        case field([UInt8])
        /// A field of the scheme, which is added to the request.
        case own(FieldTemplate)
    }

    /// The values of the placeholders.
    private struct Values {
        let date: [UInt8]
        let nonce: [UInt8]
        let bodyHash: [UInt8]
        var signature: [UInt8] = []
    }

    private let scheme: Scheme
    private let keyID: [UInt8]
    private let key: SecretBytes
    private let fields: [(name: [UInt8], value: FieldTemplate)]
    private let sources: [Source]
    private let usesBodyHash: Bool

    /// - Throws: ``HTTPSignatureHMACError`` where a server could not verify the signatures.
    public init(_ scheme: Scheme, keyID: String, key: SecretBytes) throws(HTTPSignatureHMACError) {
        guard scheme.function != .sha1 || scheme.allowsSHA1 else { throw .sha1 }
        guard !scheme.parts.isEmpty else { throw .nothingSigned }
        guard key.count > 0 else { throw .emptyKey }
        guard FieldTemplate.isValue(keyID.utf8) else { throw .unsendable(keyID) }
        var fields: [(name: [UInt8], value: FieldTemplate)] = []
        for field in scheme.fields {
            guard FieldTemplate.isName(field.name.utf8) else { throw .unsendable(field.name) }
            fields.append((Array(field.name.utf8), try FieldTemplate(field.template)))
        }
        let sent = fields.reduce(into: Set<FieldTemplate.Placeholder>()) { $0.formUnion($1.value.placeholders) }
        guard sent.contains(.signature) else { throw .notSent(.signature) }
        // The server cannot guess the date and the nonce, but it can compute the body's hash.
        if scheme.parts.contains(.date), !sent.contains(.date) { throw .notSent(.date) }
        if scheme.parts.contains(.nonce), !sent.contains(.nonce) { throw .notSent(.nonce) }
        var sources: [Source] = []
        for part in scheme.parts { sources.append(try Self.source(of: part, fields)) }
        usesBodyHash = scheme.parts.contains(.bodyHash) || sent.contains(.bodyHash)
        self.scheme = scheme
        self.keyID = Array(keyID.utf8)
        self.key = key
        self.fields = fields
        self.sources = sources
    }

    private static func source(
        of part: Part, _ fields: [(name: [UInt8], value: FieldTemplate)]
    ) throws(HTTPSignatureHMACError) -> Source {
        guard case .header(let text) = part else { return .part(part) }
        let name = text.utf8.map(\.lowercased)
        // The host is not among the fields of the request.
        if name.elementsEqual("host".utf8) { return .part(.host) }
        guard let own = fields.first(where: { $0.name.map(\.lowercased) == name }) else { return .field(name) }
        guard !own.value.placeholders.contains(.signature) else { throw .signsItself(text) }
        return .own(own.value)
    }

    /// The hash function for the body; nil if the body's hash is not used.
    public var bodyHash: HashFunction? { usesBodyHash ? scheme.bodyHash : nil }

    /// The fields that sign a request, as lines of HTTP/1.1 with their ends.
    /// - Parameters:
    ///   - bodyDigest: the body's digest by ``bodyHash``; that of no bytes where there is no body.
    ///   - now: milliseconds since 1970.
    ///   - nonce: only characters that may stand in a field; never the same twice.
    public func lines(
        for request: RequestToSign, bodyDigest: [UInt8] = [], atMilliseconds now: Int,
        nonce: String = SecureRandom.text()
    ) -> [UInt8] {
        precondition(!usesBodyHash || bodyDigest.count == scheme.bodyHash.digestBytes, "no digest of the body")
        var values = Values(
            date: date(now), nonce: Array(nonce.utf8), bodyHash: scheme.bodyHashEncoding.encode(bodyDigest))
        var text: [UInt8] = []
        text.reserveCapacity(request.target.count + 256)
        for (index, source) in sources.enumerated() {
            if index > 0 { text += scheme.separator.utf8 }
            switch source {
            case .part(let part): Self.append(part, of: request, values, to: &text)
            case .field(let name): Self.append(name, of: request, to: &text)
            case .own(let template): append(template, values, to: &text)
            }
        }
        values.signature = scheme.encoding.encode(scheme.function.authenticationCode(of: text, key: key))
        var lines: [UInt8] = []
        lines.reserveCapacity(256)
        for (name, template) in fields {
            lines += name
            lines += ": ".utf8
            append(template, values, to: &lines)
            lines += "\r\n".utf8
        }
        return lines
    }

    private static func append(_ part: Part, of request: RequestToSign, _ values: Values, to text: inout [UInt8]) {
        switch part {
        case .method: text += request.method
        case .lowercaseMethod: for byte in request.method { text.append(byte.lowercased) }
        case .path: text += request.path
        case .query: text += request.query
        case .target: text += request.target
        case .host: text += request.host
        case .date: text += values.date
        case .nonce: text += values.nonce
        case .bodyHash: text += values.bodyHash
        case .text(let literal): text += literal.utf8
        case .header: preconditionFailure("fields are looked up by their names")
        }
    }

    private func append(_ template: FieldTemplate, _ values: Values, to text: inout [UInt8]) {
        for piece in template.pieces {
            switch piece {
            case .text(let literal): text += literal
            case .placeholder(.keyID): text += keyID
            case .placeholder(.signature): text += values.signature
            case .placeholder(.date): text += values.date
            case .placeholder(.nonce): text += values.nonce
            case .placeholder(.bodyHash): text += values.bodyHash
            }
        }
    }

    private func date(_ milliseconds: Int) -> [UInt8] {
        // Rounds down, also before 1970.
        let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
        return switch scheme.dateFormat {
        case .epochSeconds: Array(String(seconds).utf8)
        case .epochMilliseconds: Array(String(milliseconds).utf8)
        case .http: DateText.http(seconds)
        }
    }

    private static func append(_ name: [UInt8], of request: RequestToSign, to text: inout [UInt8]) {
        var isFirst = true
        for field in request.fields where field.isNamed(name) {
            if !isFirst { text += ", ".utf8 }
            isFirst = false
            text += field.value
        }
    }
}

extension HTTPSignatureHMAC.Encoding {
    fileprivate func encode(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .hex:
            var text: [UInt8] = []
            Hexadecimal.append(bytes, to: &text)
            return text
        case .base64: return bytes.withUnsafeBytes { Base64.encode($0) }
        case .base64url: return Base64URL.encode(bytes)
        }
    }
}
