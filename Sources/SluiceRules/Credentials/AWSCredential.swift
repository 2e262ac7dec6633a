public import SluiceContract
internal import SluiceSigning

/// `aws-sigv4:`: the keys of an AWS account, or of a service that is asked in the same way. They are never sent: each
/// request is signed with them (Signature Version 4).
public struct AWSCredential: DeclaredCredential {
    public static let word = "aws-sigv4"
    public static let isFlat = false
    public static let summary = "Keys of an AWS account, which sign each request (Signature Version 4)"
    public var service = ""
    public var region = ""
    public var accessKey: TokenSource?
    public var secretKey: TokenSource?
    public var sessionToken: TokenSource?
    /// What prints the keys, where they are not named.
    public var program = TokenProgram(words: [], output: .awsKeys)
    public var payload = Payload.signed

    public enum Payload: String, Hashable, Sendable, CaseIterable {
        case signed, unsigned
    }

    public static let usual = AWSCredential()
    public static let settings: [Setting<AWSCredential>] = [
        .required(
            "service", \.service, of: "a service", "The service as signatures name it: s3, dynamodb, execute-api"),
        .required("region", \.region, of: "a region", "The region that it is in: eu-central-1"),
        .part("access-key", \.accessKey, "The access key's ID"),
        .part("secret-key", \.secretKey, "The secret that belongs to it"),
        .part("session-token", \.sessionToken, "The session's token, where the keys are temporary"),
        .texts(
            "command", \.program.words, of: "a word of a command",
            "A program that prints the keys in the place of these, as credential_process of AWS's tools"),
        .wait("timeout", \.program.timeout, in: .milliseconds(100)...(.seconds(300)), "How long it may take"),
        .texts(
            "variables", \.program.variables, of: "a variable's name",
            "Variables that it is given beside HOME, PATH, LANG and USER"),
        .choice(
            "payload", \.payload,
            "Whether bodies are signed, and held for that, or pass as they come: S3 over TLS alone"),
    ]

    public init() {}

    public var presentation: CredentialPresentation {
        .signed(AWSSignature(service: service, region: region, payload: payload))
    }

    public var source: CredentialSource {
        guard program.words.isEmpty else { return .program(program) }
        return .secrets([accessKey ?? .value(""), secretKey ?? .value("")] + (sessionToken.map { [$0] } ?? []))
    }

    public func check(_ layer: Layer<AWSCredential>, _ scope: Scope) {
        let sources = [("access-key", accessKey), ("secret-key", secretKey), ("session-token", sessionToken)]
        for (key, source) in sources where layer.tells(key) { source?.check(scope / key) }
        if program.words.isEmpty {
            for (key, source) in sources.prefix(2) where source == nil && !layer.says(key) {
                scope.mistake("the \(key) is missing", expected: "'access-key:' and 'secret-key:', or 'command:'")
            }
        } else if let (key, _) = sources.first(where: { layer.says($0.0) }) {
            (scope / key).mistake("'command' prints the keys, and '\(key)' names one", expected: "one of them")
        }
        for (key, text) in [("service", service), ("region", region)] where layer.tells(key) {
            do throws(SignatureV4Error) {
                _ = try SignatureV4(service: text, region: text, accessKey: "a", secretKey: SecretBytes("s"))
            } catch {
                (scope / key).mistake(
                    "'\(text)' cannot be a \(key)", at: .value,
                    expected: key == "service" ? "a name such as s3" : "a name such as eu-central-1")
            }
        }
        if payload == .unsigned, layer.says("payload"), !service.hasPrefix("s3") {
            (scope / "payload").warning(
                "only S3 is known to take requests whose body is not signed", suggestion: .advice("leave the key out"))
        }
    }
}

/// Signature Version 4, in the fields of a request.
struct AWSSignature: RequestSignature {
    let service: String
    let region: String
    let payload: AWSCredential.Payload

    var fieldNames: [String] { ["Authorization", "X-Amz-Date", "X-Amz-Content-Sha256", "X-Amz-Security-Token"] }
    // They copy from other buckets and open objects to others: what a client may do is what the page's paths say.
    var droppedFieldNames: [String] {
        [
            "X-Amz-Copy-Source", "X-Amz-Copy-Source-Range", "X-Amz-Acl", "X-Amz-Grant-Full-Control", "X-Amz-Grant-Read",
            "X-Amz-Grant-Read-Acp", "X-Amz-Grant-Write", "X-Amz-Grant-Write-Acp",
        ]
    }
    var coversBody: Bool { payload == .signed }
    // An attacker on the network path could replace the body without breaking the signature.
    var needsTLS: Bool { payload == .unsigned }

    /// - Parameter secrets: access key, secret key, and perhaps a session token.
    func signer(with secrets: [[UInt8]]) throws(SignatureFault) -> any RequestSigner {
        do throws(SignatureV4Error) {
            return Signer(
                signature: try SignatureV4(
                    service: service, region: region, accessKey: String(decoding: secrets[0], as: UTF8.self),
                    secretKey: SecretBytes(secrets[1]),
                    sessionToken: secrets.count > 2 ? SecretBytes(secrets[2]) : nil),
                coversBody: coversBody)
        } catch {
            throw SignatureFault(error.description)
        }
    }

    private struct Signer: RequestSigner {
        let signature: SignatureV4
        let coversBody: Bool
        var key: SignatureV4.DayKey?

        mutating func lines(for request: RequestToSign, _ occasion: SigningOccasion) -> [UInt8] {
            let now = occasion.milliseconds / 1000
            let key = self.key.flatMap { $0.isCurrent(at: now) ? $0 : nil } ?? signature.dayKey(at: now)
            self.key = key
            var request = request
            request.fields.removeAll { !Self.isSigned($0.name) }
            let payload = coversBody ? SignatureV4.Payload.digest(occasion.bodyDigest(.sha256)) : .unsigned
            return signature.lines(for: request, payload: payload, at: now, key: key)
        }

        /// What a proxy on the way may change is left out; `Host` stands for itself.
        private static func isSigned(_ name: UnsafeRawBufferPointer) -> Bool {
            let name = name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            return name.starts(with: "x-amz-".utf8) || name.elementsEqual("content-type".utf8)
                || name.elementsEqual("content-md5".utf8)
        }
    }
}

extension SigningOccasion {
    func bodyDigest(_ function: HashFunction) -> [UInt8] {
        var digest = RunningDigest(function)
        for run in body { digest.update(run) }
        return digest.finish()
    }
}
