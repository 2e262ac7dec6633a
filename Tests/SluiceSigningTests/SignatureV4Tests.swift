import Testing

@testable import SluiceSigning

/// Signatures that AWS has published, and the canonical form behind them; botocore agrees with all of them.
@Suite struct SignatureV4Tests {
    struct Request: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var target: String
        var fields: [(String, String)] = []
        var body = ""
        let signature: String

        var testDescription: String { "\(method) \(target)" }
    }

    /// 2015-08-30 12:36:00 UTC.
    private static let now = 1_440_938_160

    private func lines(
        _ request: Request, _ signer: SignatureV4, host: String, now: Int, payload: SignatureV4.Payload? = nil
    ) -> String {
        let payload = payload ?? .digest(HashFunction.sha256.digest(of: Array(request.body.utf8)))
        return SampleRequest.lend(request.method, request.target, host: host, fields: request.fields) { request in
            let lines = signer.lines(for: request, payload: payload, at: now, key: signer.dayKey(at: now))
            return String(decoding: lines, as: UTF8.self)
        }
    }

    private func signer(
        _ service: String = "service", token: String? = nil, pathStyle: SignatureV4.PathStyle? = nil
    ) throws -> SignatureV4 {
        try SignatureV4(
            service: service, region: "us-east-1", accessKey: "AKIDEXAMPLE",
            secretKey: SecretBytes("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            sessionToken: token.map(SecretBytes.init),
            pathStyle: pathStyle)
    }

    /// "Derive a signing key", IAM User Guide.
    @Test func derivedKey() throws {
        let key = try signer("iam").dayKey(at: Self.now).secret.withUnsafeBytes { Array($0) }
        #expect(HexadecimalText.text(key) == "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9")
    }

    static let suite: [Request] = [
        .init(target: "/", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        .init(
            method: "POST", target: "/",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        .init(
            target: "/?Param2=value2&Param1=value1",
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        .init(
            target: "/?Param1=value2&Param1=Value1",
            signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        .init(
            target: "/?Param1=value2&Param1=value1",
            signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
        .init(
            target: "/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                + "=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        .init(target: "/example/..", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        .init(
            target: "/example1/example2/../..",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        .init(target: "/./", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        .init(target: "/./example", signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
        .init(target: "//", signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        .init(target: "//example//", signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        .init(
            target: "/example%20space/",
            signature: "446b817944c553435b35e813c261ff4e161fff982d1bacdef1c87f6785dd1662"),
        .init(target: "/%E1%88%B4", signature: "697b34846207a3f72246f99d74ae1ee4fe54f44bb06730c58a0d339eb079596d"),
        .init(
            target: "/?%E1%88%B4=bar", signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        .init(
            target: "/", fields: [("My-Header1", "value2"), ("my-header1", "value2"), ("My-Header1", "value1")],
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        .init(
            target: "/", fields: [("My-Header2", " \"a \t b   c\" "), ("My-Header1", " value1")],
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        .init(
            method: "POST", target: "/", fields: [("Content-Type", "application/x-www-form-urlencoded")],
            body: "Param1=value1", signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    ]

    /// The requests of AWS's own suite, their targets as they are sent.
    @Test(arguments: suite)
    func vectors(request: Request) throws {
        let lines = try lines(request, signer(), host: "example.amazonaws.com", now: Self.now)
        #expect(lines.contains(", Signature=\(request.signature)\r\n"), "\(lines)")
    }

    /// "Authenticating Requests", Amazon S3 API Reference.
    @Test(arguments: [
        Request(
            target: "/test.txt", fields: [("Range", "bytes=0-9")],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Request(
            method: "PUT", target: "/test$file.text",
            fields: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            body: "Welcome to Amazon S3.",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Request(
            target: "/?lifecycle", signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Request(
            target: "/?prefix=J&max-keys=2",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func objects(request: Request) throws {
        let signer = try SignatureV4(
            service: "s3", region: "us-east-1", accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: SecretBytes("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
        let lines = lines(request, signer, host: "examplebucket.s3.amazonaws.com", now: 1_369_353_600)
        #expect(lines.contains(", Signature=\(request.signature)\r\n"), "\(lines)")
    }

    /// All that goes out, in the example of the IAM User Guide.
    @Test func wholeFields() throws {
        let request = Request(
            target: "/?Action=ListUsers&Version=2010-05-08",
            fields: [
                ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"), ("HOST", "other"),
                ("X-Amz-Date", "other"), ("authorization", "other"), ("x-amz-security-token", "other"),
                ("x-amz-content-sha256", "other"),
            ],
            signature: "")
        #expect(
            try lines(request, signer("iam"), host: "iam.amazonaws.com", now: Self.now)
                == "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-date, "
                + "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7\r\n"
                + "X-Amz-Date: 20150830T123600Z\r\n")
    }

    @Test func tokensAndUnsignedContent() throws {
        let signer = try signer(token: "to/ken+=")
        let lines = lines(.init(target: "/", signature: ""), signer, host: "h", now: Self.now, payload: .unsigned)
        #expect(lines.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token, "))
        #expect(
            lines.hasSuffix(
                "X-Amz-Date: 20150830T123600Z\r\nX-Amz-Security-Token: to/ken+=\r\n"
                    + "X-Amz-Content-Sha256: UNSIGNED-PAYLOAD\r\n"))
    }

    /// A key of yesterday signs like one of today.
    @Test func keysOfOtherDays() throws {
        let signer = try signer()
        let midnight = 1_440_979_200
        let key = signer.dayKey(at: midnight - 1)
        #expect(key.isCurrent(at: midnight - 86_400) && key.isCurrent(at: midnight - 1))
        #expect(!key.isCurrent(at: midnight) && !key.isCurrent(at: midnight - 86_401))
        let made = SampleRequest.lend("GET", "/", host: "h") { request in
            [key, signer.dayKey(at: midnight)].map {
                signer.lines(for: request, payload: .unsigned, at: midnight, key: $0)
            }
        }
        #expect(made[0] == made[1])
    }

    @Test(arguments: [
        ("/a/../b", "/b", "/a/../b"), ("/a/b/..", "/a", "/a/b/.."), ("/a/b/../", "/a/", "/a/b/../"),
        ("/../../a", "/a", "/../../a"), ("/..a/...", "/..a/...", "/..a/..."), ("/a//b", "/a/b", "/a//b"),
        ("/a%2fb", "/a%252fb", "/a%2Fb"), ("/%41%7e", "/%2541%257e", "/A~"), ("/a+b", "/a%2Bb", "/a%2Bb"),
        ("/100%", "/100%25", "/100%25"), ("/%4", "/%254", "/%254"), ("/%zz", "/%25zz", "/%25zz"),
        ("/a*!'()", "/a%2A%21%27%28%29", "/a%2A%21%27%28%29"), ("", "/", "/"),
    ])
    func paths(target: String, normalised: String, object: String) throws {
        #expect(try canonical(target, .normalised)[1] == normalised)
        #expect(try canonical(target, .object)[1] == object)
    }

    @Test(arguments: [
        ("a-=1&a=2", "a=2&a-=1"), ("b&a=&a", "a=&a=&b="), ("a=1=2", "a=1%3D2"), ("a=%3d%41", "a=%3DA"),
        ("a=b+c", "a=b%20c"), ("a+b=1", "a%20b=1"), ("a=%2B", "a=%2B"), ("a=/?:@", "a=%2F%3F%3A%40"), ("&&a=1&", "a=1"),
        ("", ""), ("A=1&a=1&B=1", "A=1&B=1&a=1"), ("a=%", "a=%25"), ("a=2&a=10&a=1", "a=1&a=10&a=2"), ("=x", "=x"),
    ])
    func queries(query: String, canonical: String) throws {
        #expect(try self.canonical("/?" + query, .normalised)[2] == canonical)
    }

    private func canonical(_ target: String, _ style: SignatureV4.PathStyle) throws -> [Substring] {
        let signer = try signer(pathStyle: style)
        let text = SampleRequest.lend("GET", target, host: "h") { request in
            CanonicalRequest(request, signer, .digest(HashFunction.sha256.digest(of: [])), date: DateText.basic(0)).text
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(arguments: [
        ("", "r", "k", "s", "t", SignatureV4Error.Part.service), ("a", "r\r\n", "k", "s", "t", .region),
        ("a", "r", "k/", "s", "t", .accessKey), ("a", "r", "k,", "s", "t", .accessKey),
        ("a", "r", "k", "", "t", .secretKey),
        ("a", "r", "k", "s", "", .sessionToken), ("a", "r", "k", "s", "t\n", .sessionToken),
    ])
    func partsThatCannotBeSent(
        service: String, region: String, accessKey: String, secretKey: String, token: String,
        part: SignatureV4Error.Part
    ) {
        let error = #expect(throws: SignatureV4Error.self) {
            try SignatureV4(
                service: service, region: region, accessKey: accessKey, secretKey: SecretBytes(secretKey),
                sessionToken: SecretBytes(token))
        }
        #expect(error?.part == part)
        #expect(error?.description.hasPrefix("the \(part.rawValue) is empty or holds") == true)
    }
}
