import Foundation
import SluiceContract
import SluiceSigning
import Testing

/// Signatures are what others expect.
@Suite struct SignatureTests {
    @Test(.needsPeers) func awsSignaturesAreBotocores() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 4)
        let cases = try (0..<1000).map { _ in try AWSCase(&random) }
        let file = try folder.write(String(decoding: JSONEncoder().encode(cases), as: UTF8.self), to: "cases.json")
        let peer = try SignaturePeer.botocore(file)
        #expect(try peer.waitForExit() == 0, "\(peer.errors)")
        #expect(peer.output == "1000\n")
    }

    @Test(
        .needsPeers,
        arguments: [
            ("RS256", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]),
            ("ES256", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"]),
            ("EdDSA", ["-algorithm", "ED25519"]),
        ])
    func tokensAreVerified(algorithm: String, arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let (file, publicFile) = (folder.file("key.pem"), folder.file("public.pem"))
        let making = try ChildProcess([try Peers.openssl(), "genpkey", "-out", file] + arguments)
        #expect(try making.waitForExit() == 0, "\(making.errors)")
        let publishing = try ChildProcess([try Peers.openssl(), "pkey", "-in", file, "-pubout", "-out", publicFile])
        #expect(try publishing.waitForExit() == 0, "\(publishing.errors)")

        let key = try SigningKey(pem: SecretBytes(folder.read("key.pem")))
        let assertion = try ClientAssertion(
            issuer: "client", subject: "client", audience: "https://idp.example/token",
            claims: [.init("text", "\"é\\\n")], keyID: "1")
        let proof = DPoPProof(method: "GET", uri: "https://a.example/b?c", at: 5, nonce: "n", identifier: "one")
        let cases = [assertion.signed(by: key, at: 100, identifier: "two"), proof.signed(by: key)].map { token in
            [
                "algorithm": algorithm, "key": folder.read("public.pem"), "token": token,
                "thumbprint": key.publicJWK.thumbprint,
            ]
        }
        let list = try folder.write(String(decoding: JSONEncoder().encode(cases), as: UTF8.self), to: "cases.json")
        let peer = try SignaturePeer.jose(list)
        #expect(try peer.waitForExit() == 0, "\(peer.errors)")
        #expect(
            peer.output == """
                {"iss":"client","sub":"client","aud":"https://idp.example/token","iat":100,"exp":400,"jti":"two",\
                "text":"\\"é\\\\\\u000a"}
                {"jti":"one","htm":"GET","htu":"https://a.example/b","iat":5,"nonce":"n"}

                """)
    }
}

/// A request, and how it was signed here.
private struct AWSCase: Encodable {
    let method, host, target, body, service, region, secret, lines: String
    let token: String?
    let fields: [[String]]
    let now: Int
    let unsigned: Bool

    init(_ random: inout SeededGenerator) throws {
        method = ["GET", "PUT", "POST", "DELETE", "HEAD"].randomElement(using: &random) ?? ""
        host = ["bucket.s3.amazonaws.com", "a.example:8443", "[::1]:99"].randomElement(using: &random) ?? ""
        service = ["s3", "execute-api", "iam"].randomElement(using: &random) ?? ""
        region = ["eu-central-1", "us-east-1"].randomElement(using: &random) ?? ""
        secret = Self.text(&random, 40, of: Self.unreserved + "/+=")
        token = Bool.random(using: &random) ? Self.text(&random, 90, of: Self.unreserved + "/+=") : nil
        body = Bool.random(using: &random) ? "" : Self.text(&random, 50, of: Self.unreserved + " é☃")
        now = Int.random(in: 0...4_000_000_000, using: &random)
        unsigned = Int.random(in: 0..<4, using: &random) == 0
        target = Self.path(&random, isObject: service == "s3") + Self.query(&random)
        fields = Self.fields(&random)

        let signer = try SignatureV4(
            service: service, region: region, accessKey: "AKID", secretKey: SecretBytes(secret),
            sessionToken: token.map { SecretBytes($0) })
        let payload: SignatureV4.Payload =
            unsigned ? .unsigned : .digest(HashFunction.sha256.digest(of: Array(body.utf8)))
        let (texts, now) = ([method, target, host] + fields.flatMap(\.self), now)
        let made = Self.lend(texts, []) { texts in
            let fields = stride(from: 3, to: texts.count, by: 2).map { index in
                RequestToSign.Field(name: texts[index], value: texts[index + 1])
            }
            return signer.lines(
                for: RequestToSign(method: texts[0], target: texts[1], host: texts[2], fields: fields),
                payload: payload, at: now, key: signer.dayKey(at: now))
        }
        lines = String(decoding: made, as: UTF8.self)
    }

    private static func lend<Result>(
        _ texts: [String], _ lent: [UnsafeRawBufferPointer], _ body: ([UnsafeRawBufferPointer]) -> Result
    ) -> Result {
        guard let text = texts.first else { return body(lent) }
        return Array(text.utf8).withUnsafeBytes { lend(Array(texts.dropFirst()), lent + [$0], body) }
    }

    private static let unreserved = "ABCXYZabcxyz0189-._~"
    /// What a path may hold beside unreserved characters (RFC 3986 §3.3).
    private static let others = "!$&'()*+,;=:@"

    private static func text(_ random: inout SeededGenerator, _ countMax: Int, of alphabet: String) -> String {
        String(
            (0..<Int.random(in: 1...countMax, using: &random)).compactMap { _ in alphabet.randomElement(using: &random)
            })
    }

    /// As every client of S3 encodes it; botocore takes that as it is.
    private static func encoded(_ random: inout SeededGenerator) -> String {
        let raw = text(&random, 6, of: unreserved + others + " %/?#é☃\"<>[]\u{7f}")
        return raw.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: allowed)) ?? ""
    }

    private static let allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

    /// Dot segments and empty ones among the others; what is no object may be encoded in any way.
    private static func path(_ random: inout SeededGenerator, isObject: Bool) -> String {
        let segments = (0...Int.random(in: 0...5, using: &random)).map { _ in
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return ""
            case 1: return "."
            case 2: return ".."
            case 3 where !isObject: return text(&random, 5, of: unreserved + others) + "%2f%C3%a9%41"
            default: return encoded(&random)
            }
        }
        return "/" + segments.joined(separator: "/")
    }

    /// Names that begin alike, stand several times or have no value.
    private static func query(_ random: inout SeededGenerator) -> String {
        let pairs = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            let name = Bool.random(using: &random) ? text(&random, 3, of: "aA-.0") : encoded(&random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return name
            case 1: return name + "="
            default: return name + "=" + encoded(&random)
            }
        }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    private static func fields(_ random: inout SeededGenerator) -> [[String]] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
            let name = ["Content-Type", "x-amz-meta-a", "X-Amz-Meta-A", "X-Amz-Meta-Ab", "Range", "x-amz-acl"]
            let value = text(&random, 20, of: unreserved + others + "   \t\"/?").trimmingCharacters(in: .whitespaces)
            return [name.randomElement(using: &random) ?? "", value]
        }
    }
}
