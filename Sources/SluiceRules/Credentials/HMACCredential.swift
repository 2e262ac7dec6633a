public import SluiceContract
internal import SluiceSigning

/// `hmac:`: a key that is never sent. Each request has an HMAC over some of its parts, as the API wants them.
public struct HMACCredential: DeclaredCredential {
    public static let word = "hmac"
    public static let isFlat = false
    public static let summary = "A key that signs parts of each request with HMAC"
    public var key: TokenSource?
    public var keyEncoding = KeyEncoding.text
    public var keyID: String?
    public var parts: [String] = []
    public var separator: String?
    public var function = Function.sha256
    public var allowsSHA1 = false
    public var encoding = Encoding.hex
    public var date = DateFormat.epochSeconds
    public var bodyHash = Function.sha256
    public var bodyHashEncoding = Encoding.hex
    public var fields: [NamedText] = []

    /// What the text of the key stands for.
    public enum KeyEncoding: String, Hashable, Sendable, CaseIterable {
        case text, base64, hex
    }

    public enum Function: String, Hashable, Sendable, CaseIterable {
        case sha256, sha512, sha1
    }

    public enum Encoding: String, Hashable, Sendable, CaseIterable {
        case hex, base64, base64url
    }

    public enum DateFormat: String, Hashable, Sendable, CaseIterable {
        case epochSeconds = "epoch-seconds"
        case epochMilliseconds = "epoch-milliseconds"
        case http
    }

    public static let usual = HMACCredential()
    public static let settings: [Setting<HMACCredential>] = [
        .part("key", \.key, default: "required", "The key"),
        .choice("key-encoding", \.keyEncoding, "What the key's text is: itself, or bytes in Base64 or hexadecimal"),
        .text("key-id", \.keyID, of: "a name", "What the API knows the key by: {key-id} in 'fields'"),
        .texts(
            "parts", \.parts, of: "a part of a request", default: "required",
            "What is signed, in this order: method, lowercase-method, path, query, target, host, date, nonce, "
                + "body-hash, 'header NAME', 'text TEXT'"),
        .text(
            "separator", \.separator, of: "a text", "What stands between two parts; a line end where nothing is said"),
        .choice("function", \.function, "The hash function of the HMAC"),
        .flag("allow-sha1", \.allowsSHA1, "Whether sha1 is taken, for APIs that know nothing else"),
        .choice("encoding", \.encoding, "How the signature is written"),
        .choice("date", \.date, "How the time of the request is written"),
        .choice("body-hash", \.bodyHash, "The hash function of the body"),
        .choice("body-hash-encoding", \.bodyHashEncoding, "How the body's hash is written"),
        .part(
            "fields", \.fields, default: "required",
            "The fields that are sent, with {signature}, {key-id}, {date}, {nonce} and {body-hash} in them"),
    ]

    public init() {}

    public var presentation: CredentialPresentation { .signed(HMACSignature(self)) }
    public var source: CredentialSource { .secrets([key ?? .value("")]) }

    public func check(_ layer: Layer<HMACCredential>, _ scope: Scope) {
        if layer.tells("key") { key?.check(scope / "key") }
        if key == nil, !layer.says("key") { scope.mistake("the key is missing", expected: "'key:'") }
        if case .value(let text)? = key, keyEncoding.bytes(Array(text.utf8)) == nil {
            (scope / "key" / "value").mistake(
                "the key is not in \(keyEncoding.rawValue)", at: .value, expected: "what 'key-encoding:' says")
        }
        if keyID == nil, !layer.says("key-id"), fields.contains(where: { $0.value.contains("{key-id}") }) {
            (scope / "fields").mistake("{key-id} is sent, and there is none", expected: "'key-id:'")
        }
        for part in parts where HTTPSignatureHMAC.Part(part) == nil {
            (scope / "parts").mistake(
                "'\(part)' is no part of a request", at: .value,
                expected: HTTPSignatureHMAC.Part.words.joined(separator: ", ") + ", 'header NAME', 'text TEXT'",
                suggestion: Nearest.suggestion(for: part, among: HTTPSignatureHMAC.Part.words))
            return
        }
        var names: Set<String> = []
        for field in fields {
            let place = scope / "fields" / field.name
            if FieldRule.isOfMessage(field.name) {
                place.mistake("'\(field.name)' is written by the gateway itself", expected: "a field of the API's own")
            } else if !names.insert(field.name.lowercased()).inserted {
                place.mistake("field '\(field.name)' stands twice", expected: "each field once")
            }
        }
        do throws(HTTPSignatureHMACError) {
            _ = try HTTPSignatureHMAC(HMACSignature.scheme(self), keyID: keyID ?? "none", key: SecretBytes("k"))
        } catch {
            guard ["parts", "fields"].allSatisfy({ layer.tells($0) || !layer.says($0) }) else { return }
            let place = place(of: error, scope)
            if error == .nothingSigned {
                place.mistake(
                    "nothing is signed", at: .value, expected: "'parts:', the parts that the API asks for")
                return
            }
            // Behind the colon stands what to do.
            let words = error.description.parts(between: ": ", maxSplits: 1)
            place.mistake(
                "\(String(words[0]))", at: .value, suggestion: words.count > 1 ? .advice(String(words[1])) : nil)
        }
    }

    private func place(of error: HTTPSignatureHMACError, _ scope: Scope) -> Scope {
        switch error {
        case .sha1: scope / "function"
        case .nothingSigned: parts.isEmpty ? scope : scope / "parts"
        case .signsItself: scope / "parts"
        case .emptyKey: scope / "key"
        case .unsendable(let text) where text == keyID: scope / "key-id"
        case .notSent, .unknownPlaceholder, .unsendable: fields.isEmpty ? scope : scope / "fields"
        }
    }
}

/// An HMAC over declared parts of a request.
struct HMACSignature: RequestSignature {
    let scheme: HTTPSignatureHMAC.Scheme
    let keyID: String
    let keyEncoding: HMACCredential.KeyEncoding
    let coversBody: Bool

    init(_ credential: HMACCredential) {
        scheme = Self.scheme(credential)
        keyID = credential.keyID ?? "none"
        keyEncoding = credential.keyEncoding
        coversBody = scheme.parts.contains(.bodyHash) || scheme.fields.contains { $0.template.contains("{body-hash}") }
    }

    var fieldNames: [String] { scheme.fields.map(\.name) }

    static func scheme(_ credential: HMACCredential) -> HTTPSignatureHMAC.Scheme {
        var scheme = HTTPSignatureHMAC.Scheme(
            parts: credential.parts.compactMap { .init($0) },
            fields: credential.fields.map { .init($0.name, $0.value) })
        if let separator = credential.separator { scheme.separator = separator }
        scheme.function = credential.function.function
        scheme.allowsSHA1 = credential.allowsSHA1
        scheme.encoding = credential.encoding.encoding
        scheme.dateFormat =
            switch credential.date {
            case .epochSeconds: .epochSeconds
            case .epochMilliseconds: .epochMilliseconds
            case .http: .http
            }
        scheme.bodyHash = credential.bodyHash.function
        scheme.bodyHashEncoding = credential.bodyHashEncoding.encoding
        return scheme
    }

    func signer(with secrets: [[UInt8]]) throws(SignatureFault) -> any RequestSigner {
        guard let key = keyEncoding.bytes(secrets[0]) else {
            throw SignatureFault("the key is not in \(keyEncoding.rawValue), as 'key-encoding:' says")
        }
        do throws(HTTPSignatureHMACError) {
            return Signer(signature: try HTTPSignatureHMAC(scheme, keyID: keyID, key: SecretBytes(key)))
        } catch {
            throw SignatureFault(error.description)
        }
    }

    private struct Signer: RequestSigner {
        let signature: HTTPSignatureHMAC

        func lines(for request: RequestToSign, _ occasion: SigningOccasion) -> [UInt8] {
            signature.lines(
                for: request, bodyDigest: signature.bodyHash.map { occasion.bodyDigest($0) } ?? [],
                atMilliseconds: occasion.milliseconds)
        }
    }
}

// MARK: - Words of the configuration

extension HTTPSignatureHMAC.Part {
    private static let named: KeyValuePairs<String, Self> = [
        "method": .method, "lowercase-method": .lowercaseMethod, "path": .path, "query": .query, "target": .target,
        "host": .host, "date": .date, "nonce": .nonce, "body-hash": .bodyHash,
    ]
    static var words: [String] { named.map(\.key) }

    init?(_ text: String) {
        if let part = Self.named.first(where: { $0.key == text })?.value {
            self = part
        } else if text.hasPrefix("header "), Name.isToken(String(text.dropFirst("header ".count))) {
            self = .header(String(text.dropFirst("header ".count)))
        } else if text.hasPrefix("text ") {
            self = .text(String(text.dropFirst("text ".count)))
        } else {
            return nil
        }
    }
}

extension HMACCredential.Function {
    fileprivate var function: HashFunction {
        switch self {
        case .sha256: .sha256
        case .sha512: .sha512
        case .sha1: .sha1
        }
    }
}

extension HMACCredential.Encoding {
    fileprivate var encoding: HTTPSignatureHMAC.Encoding {
        switch self {
        case .hex: .hex
        case .base64: .base64
        case .base64url: .base64url
        }
    }
}

extension HMACCredential.KeyEncoding {
    /// The bytes that the text of a key stands for; nil where it stands for none.
    fileprivate func bytes(_ text: [UInt8]) -> [UInt8]? {
        switch self {
        case .text: return text
        case .base64:
            return Base64.decode(text)
        case .hex:
            guard text.count % 2 == 0 else { return nil }
            let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == text.count else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
    }
}
