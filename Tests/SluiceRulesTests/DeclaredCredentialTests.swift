import Foundation
import SluiceContract
import Testing

@testable import SluiceRules

/// Kinds of credentials as a program declares them.
@Suite struct DeclaredCredentialTests {
    private static func findings(_ kind: some DeclaredCredential, at origin: Upstream.Origin? = nil) -> [String] {
        read(kind, at: origin).findings
    }

    private static func read(
        _ kind: some DeclaredCredential, at origin: Upstream.Origin? = nil
    ) -> (credentials: [Credential], findings: [String]) {
        var configuration = Configuration()
        configuration.credentials = [Credential(name: "c", kind: kind)]
        var upstream = Upstream(name: "fruit", origin: origin ?? .tcp(host: "fruit.example", port: 443, tls: true))
        upstream.credential = .named("c")
        configuration.upstreams = [upstream]
        let path = PathTemplate(segments: [], hasRest: true)
        configuration.bindings = [Binding(methods: ["GET"], path: path, upstream: "fruit", upstreamPath: path)]
        let found = configuration.findings.map(\.description)
        return (configuration.credentials, found)
    }

    // MARK: - The example of the documentation

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func theExampleStandsInTheDocumentation() throws {
        let file = try Self.text("Tests/SluiceRulesTests/TokenCredential.swift")
        let example = try #require(file.components(separatedBy: "docs/ADDING.md.\n").last)
        #expect(try Self.text("docs/ADDING.md").contains("```swift\n\(example)```"))
    }

    @Test func theExampleIsAKind() {
        let (credentials, findings) = Self.read(TokenCredential(token: .value("abc")))
        #expect(findings == [])
        #expect(credentials.first?.kind.presentation == .field(name: "Authorization", prefix: "Token "))
        #expect(credentials.first?.kind.source == .secret(.value("abc")))
        #expect(
            Self.findings(TokenCredential(token: .value("a b"))) == [
                "credentials.c.token.value: the token holds a character that no field can; expected visible ASCII "
                    + "characters"
            ])
    }

    // MARK: - Signatures

    private static func hmac(_ edit: (inout HMACCredential) -> Void) -> HMACCredential {
        var kind = HMACCredential()
        kind.key = .value("key")
        kind.parts = ["method", "date"]
        kind.fields = [.init(name: "X-Signature", value: "{date} {signature}")]
        edit(&kind)
        return kind
    }

    /// Every error that a signature can have is found at load, where it stands.
    @Test(
        arguments: [
            (hmac { _ in }, nil),
            (
                hmac { $0.parts = [] },
                "hmac: nothing is signed; expected 'parts:', the parts that the API asks for"
            ),
            (hmac { $0.parts = ["method", "Date"] }, "hmac.parts: 'Date' is no part of a request"),
            (hmac { $0.function = .sha1 }, "hmac.function: hmac-sha1 is refused; take hmac-sha256"),
            (hmac { ($0.function, $0.allowsSHA1) = (.sha1, true) }, nil),
            (
                hmac { $0.fields = [] },
                "hmac: the signature is not sent, so that nobody can verify it; put {signature} into a field"
            ),
            (hmac { $0.fields[0].value = "{signature}" }, "hmac.fields: the date is not sent"),
            (hmac { $0.parts = ["nonce"] }, "hmac.fields: the nonce is not sent"),
            (hmac { $0.parts.append("header x-signature") }, "hmac.parts: x-signature holds the signature"),
            (hmac { $0.fields[0].value += "{time}" }, "hmac.fields: {time} is not known"),
            (hmac { $0.fields[0].name = "X Y" }, "hmac.fields: 'X Y' cannot stand in a field"),
            (hmac { $0.keyID = "a\nb" }, "hmac.key-id: 'ab' cannot stand in a field"),
            (hmac { $0.fields[0].value += "{key-id}" }, "hmac.fields: {key-id} is sent, and there is none"),
            (hmac { $0.key = nil }, "hmac: the key is missing"),
            (hmac { $0.key = .value("") }, "hmac.key.value: the token is empty"),
            (hmac { ($0.key, $0.keyEncoding) = (.value("a?"), .base64) }, "hmac.key.value: the key is not in base64"),
            (hmac { ($0.key, $0.keyEncoding) = (.value("0x"), .hex) }, "hmac.key.value: the key is not in hex"),
        ] as [(HMACCredential, String?)])
    func schemesThatCannotBeVerified(kind: HMACCredential, finding: String?) throws {
        let findings = Self.findings(kind)
        if let finding {
            #expect(findings.contains { $0.hasPrefix("credentials.c." + finding) }, "\(findings)")
        } else {
            #expect(findings == [])
        }
    }

    private static func lines(_ key: String, _ encoding: HMACCredential.KeyEncoding) throws -> [UInt8] {
        let kind = hmac { $0.keyEncoding = encoding }
        let signature = try #require(kind.presentation.signature)
        var signer = try signature.signer(with: [Array(key.utf8)])
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let request = RequestToSign(method: nothing, target: nothing, host: nothing)
        return signer.lines(for: request, SigningOccasion(milliseconds: 0, isSecure: true))
    }

    /// A key is the bytes that its text stands for.
    @Test(
        arguments: [
            ("6b6579", .hex), ("6B6579", .hex), ("a2V5", .base64),
        ] as [(String, HMACCredential.KeyEncoding)])
    func keysAreBytes(text: String, encoding: HMACCredential.KeyEncoding) throws {
        let expected = try Self.lines("key", .text)
        #expect(try Self.lines(text, encoding) == expected)
    }

    /// An empty word names none.
    @Test(arguments: [[], [""], ["", "auth"]] as [[String]])
    func aProgramHasAName(words: [String]) {
        let findings = Self.findings(ProgramCredential(TokenProgram(words: words)))
        #expect(findings.contains { $0.hasPrefix("credentials.c.command.run: there is no program") }, "\(findings)")
    }

    /// Its arguments may be secrets, which no message repeats.
    @Test func aCommandIsAList() {
        let findings = Self.findings(ProgramCredential(TokenProgram(words: ["gh s3cret"])))
        #expect(findings.contains { $0.contains("'gh …' is one word") && !$0.contains("s3cret") }, "\(findings)")
    }

    private static func oauth2(_ edit: (inout OAuth2Client) -> Void) -> OAuth2Client {
        var kind = OAuth2Client()
        (kind.clientID, kind.grant, kind.clientSecret) = ("c", .clientCredentials, .value("abc"))
        edit(&kind)
        return kind
    }

    @Test(arguments: [
        ("https://me:s3cret@x.example/t", "user and password have no place in a URL"),
        ("https://me:s3/cret@x.example/t", "this is no URL"), ("me:s3cret@x.example", "this is no URL"),
        ("x.example?key=s3cret", "'x.example' is no URL"), ("x.example", "'x.example' is no URL"),
    ])
    func addressesOfAServer(url: String, mistake: String) {
        for kind in [Self.oauth2 { $0.tokenURL = url }, Self.oauth2 { $0.issuer = url }] {
            let findings = Self.findings(kind)
            #expect(findings.contains { $0.contains(": \(mistake)") }, "\(findings)")
            #expect(!"\(findings)".contains("cret"))
        }
    }

    private static func aws(_ edit: (inout AWSCredential) -> Void) -> AWSCredential {
        var kind = AWSCredential()
        (kind.service, kind.region) = ("s3", "eu-central-1")
        (kind.accessKey, kind.secretKey) = (.value("AKID"), .value("secret"))
        edit(&kind)
        return kind
    }

    @Test(
        arguments: [
            (aws { _ in }, nil), (aws { $0.service = "a b" }, "credentials.c.aws-sigv4.service: 'a b' cannot be"),
            (aws { $0.region = "a/b" }, "credentials.c.aws-sigv4.region: 'a/b' cannot be"),
            (aws { $0.program.words = ["keys"] }, "credentials.c.aws-sigv4.access-key: 'command' prints the keys"),
            (aws { $0.secretKey = nil }, "credentials.c.aws-sigv4: the secret-key is missing"),
            (aws { ($0.payload, $0.service) = (.unsigned, "ec2") }, "credentials.c.aws-sigv4.payload: only S3"),
        ] as [(AWSCredential, String?)])
    func keysThatCannotSign(kind: AWSCredential, finding: String?) {
        let findings = Self.findings(kind)
        if let finding {
            #expect(findings.contains { $0.hasPrefix(finding) }, "\(findings)")
        } else {
            #expect(findings == [])
        }
    }

    /// How an upstream is used whose tokens are bound.
    enum Bound { case alone, withOthers, plain, otherCertificate }

    /// RFC 8705 §3: connections that show a certificate are for whom it stands for.
    @Test(
        arguments: [
            (.alone, nil), (.withOthers, "upstreams.fruit: other requests would show"),
            (.plain, "upstreams.fruit.url: the tokens of 'c' are bound"),
            (.otherCertificate, "upstreams.fruit.tls: the tokens of 'c' are bound to another"),
        ] as [(Bound, String?)])
    func boundTokensHaveAnUpstreamOfTheirOwn(bound: Bound, finding: String?) {
        var client = OAuth2Client()
        (client.tokenURL, client.clientID, client.grant) = ("https://a.example/token", "me", .clientCredentials)
        (client.authentication, client.isBound) = (.tls, true)
        (client.tls.certificate, client.tls.key) = ("/client.pem", "/client.key")
        var configuration = Configuration()
        configuration.credentials = [Credential(name: "c", kind: client)]
        var upstream = Upstream(name: "fruit", origin: .tcp(host: "fruit.example", port: 443, tls: true))
        upstream.credential = .named("c")
        configuration.upstreams = [upstream]
        configuration.bindings = ["GET", "PUT"].map { method in
            let path = PathTemplate(segments: [], hasRest: true)
            return Binding(methods: [method], path: path, upstream: "fruit", upstreamPath: path)
        }
        switch bound {
        case .alone: break
        case .withOthers: configuration.bindings[0].credential = CredentialChoice.none
        case .plain: configuration.upstreams[0].origin = .tcp(host: "127.0.0.1", port: 80, tls: false)
        case .otherCertificate:
            (configuration.upstreams[0].tls.certificate, configuration.upstreams[0].tls.key) = ("/o.pem", "/o.key")
        }
        let checked = ConfigurationDeclaration(configuration).checked()
        let findings = checked.findings.map(\.description)
        if let finding {
            #expect(findings.contains { $0.hasPrefix(finding) }, "\(findings)")
        } else {
            #expect(findings == [])
            #expect(checked.configuration.upstreams.first?.tls.certificate == "/client.pem")
        }
    }

    /// What a signature leaves out, TLS has to keep as it is.
    @Test func bodiesAreLeftOutOverTLSAlone() {
        let open = Self.aws { $0.payload = .unsigned }
        #expect(Self.findings(open) == [])
        #expect(Self.findings(open, at: .tcp(host: "127.0.0.1", port: 80, tls: false)) == [])
        let findings = Self.findings(open, at: .tcp(host: "fruit.example", port: 80, tls: false))
        #expect(findings.contains { $0.hasPrefix("upstreams.fruit.credential: credential 'c' leaves bodies unsigned") })
    }
}
