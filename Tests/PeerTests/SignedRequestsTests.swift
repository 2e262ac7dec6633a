import Foundation
import Testing

/// Credentials that sign each request, verified by programs that nobody here wrote.
@Suite(.needsPeers) struct SignedRequestsTests {
    // MARK: - AWS

    private static func pages(_ url: String, _ more: String = "") -> String {
        let keys = "access-key: {value: AKID}, secret-key: {value: \(AWSPeer.secret)}"
        return """
            credentials:
              lake: {aws-sigv4: {service: s3, region: eu-central-1, \(keys)}}
              open: {aws-sigv4: {service: s3, region: eu-central-1, payload: unsigned, \(keys)}}
              api:
                aws-sigv4:
                  {service: execute-api, region: us-east-1, \(keys), session-token: {value: \(AWSPeer.sessionToken)}}
            upstreams:
              lake: {url: "\(url)", credential: lake\(more)}
            bindings:
              ANY /lake/**: {to: "lake /**"}
              ANY /open/**: {to: "lake /**", credential: open}
              ANY /api/**: {to: "lake /stage/**", credential: api}
            """
    }

    /// Several hundred requests, each as a client may send it, through one daemon.
    private static func expectVerified(_ gateway: Daemon, seed: UInt64, count: Int) throws {
        var random = SeededGenerator(seed: seed)
        let client = try gateway.client()
        for _ in 0..<count {
            let request = AWSClientRequest(&random)
            let answer = try client.request(
                request.method, request.target, fields: request.fields, body: request.body)
            #expect(answer.status == 200, "\(request): \(answer.text)")
            if answer.status != 200 { return }
        }
    }

    @Test func botocoreSignsInTheSameWay() throws {
        let verifier = try AWSPeer.verifier()
        defer { verifier.end() }
        let gateway = try Daemon(Self.pages(verifier.url))
        defer { gateway.end() }
        try Self.expectVerified(gateway, seed: 11, count: 400)
    }

    /// HTTP/2 to nginx, which hands on what it got.
    @Test func overHTTP2Too() throws {
        let verifier = try AWSPeer.verifier()
        defer { verifier.end() }
        let authority = try CertificateAuthority.shared.get()
        let nginx = try NginxOrigin(
            identity: try authority.identity("signed", name: "DNS:localhost"), speaksHTTP2: true,
            locations: """
                merge_slashes off;
                ignore_invalid_headers off;
                client_max_body_size 0;
                location / {
                    proxy_pass \(verifier.url);
                    proxy_http_version 1.1;
                    proxy_set_header Host $http_host;
                }
                """)
        defer { nginx.end() }
        let url = "https://localhost:\(nginx.port)"
        let gateway = try Daemon(Self.pages(url, ", protocol: h2, tls: {ca: \(authority.path)}"))
        defer { gateway.end() }
        try Self.expectVerified(gateway, seed: 12, count: 200)
    }

    @Test func s3TakesObjectsOfAnyName() throws {
        let moto = try AWSPeer.moto()
        defer { moto.end() }
        let keys = "access-key: {env: KEY}, secret-key: {env: SECRET}"
        let gateway = try Daemon(
            """
            credentials:
              s3: {aws-sigv4: {service: s3, region: us-east-1, \(keys)}}
              sts: {aws-sigv4: {service: sts, region: us-east-1, \(keys)}}
              wrong: {aws-sigv4: {service: s3, region: us-east-1, access-key: {env: KEY}, secret-key: {value: wrong}}}
              dynamo: {aws-sigv4: {service: dynamodb, region: us-east-1, \(keys)}}
            upstreams:
              aws: {url: "\(moto.url)"}
            bindings:
              ANY /s3/**: {to: "aws /**", credential: s3}
              ANY /wrong/**: {to: "aws /**", credential: wrong}
              POST /sts: {to: aws /, credential: sts}
              POST /dynamo: {to: aws /, credential: dynamo}
            """, environment: ["KEY": moto.words[0], "SECRET": moto.words[1]])
        defer { gateway.end() }
        let client = try gateway.client()
        func s3(_ method: String, _ path: String, body: String? = nil) throws -> HTTPResponse {
            try client.request(method, path, fields: ["X-Amz-Meta-Colour:  dark   green"], body: body)
        }
        #expect(try s3("PUT", "/s3/lake").status == 200)
        for name in [
            "plain.txt", "a%20b", "a%2Bb", "%C3%BC/%E2%82%AC", "a//b", "~x_-.", "%281%29%21", "100%25", "%3Fa%3Db%23",
        ] {
            let put = try s3("PUT", "/s3/lake/" + name, body: "content of \(name)")
            #expect(put.status == 200, "\(name): \(put.text)")
            let got = try s3("GET", "/s3/lake/" + name)
            #expect(got.text == "content of \(name)", "\(name): \(got.text)")
            #expect(got["X-Amz-Meta-Colour"] == "dark   green")
        }
        let listing = try s3("GET", "/s3/lake?list-type=2&prefix=a%20&delimiter=%2F&encoding-type=url")
        #expect(listing.status == 200 && listing.text.contains("<Key>a%20b</Key>"), "\(listing.text)")
        let caller = try client.request(
            "POST", "/sts", fields: ["Content-Type: application/x-www-form-urlencoded"],
            body: "Action=GetCallerIdentity&Version=2011-06-15")
        #expect(caller.status == 200 && caller.text.contains("user/me"), "\(caller.text)")
        let tables = try client.request(
            "POST", "/dynamo",
            fields: ["Content-Type: application/x-amz-json-1.0", "X-Amz-Target: DynamoDB_20120810.ListTables"],
            body: "{}")
        #expect(tables.status == 200 && tables.text.contains("TableNames"), "\(tables.text)")
        // The judge does judge.
        let refused = try client.request("PUT", "/wrong/lake/x", body: "x")
        #expect(refused.status == 403 && refused.text.contains("SignatureDoesNotMatch"), "\(refused.text)")
        // And nobody gets by with a signature of their own.
        let outsider = try HTTPClient(port: moto.port).get("/lake/plain.txt")
        #expect(outsider.status == 403, "\(outsider.text)")
    }

    /// As AWS's own tools are given keys by a program.
    @Test func keysOfAProgram() throws {
        let verifier = try AWSPeer.verifier()
        defer { verifier.end() }
        let folder = try TemporaryFolder()
        func keys(_ year: String) throws -> String {
            try folder.write(
                """
                {"Version": 1, "AccessKeyId": "AKID", "SecretAccessKey": "\(AWSPeer.secret)",
                 "SessionToken": "\(AWSPeer.sessionToken)", "Expiration": "\(year)-01-01T00:00:00Z"}
                """, to: "keys-\(year).json")
        }
        let gateway = try Daemon(
            """
            credentials:
              lake: {aws-sigv4: {service: s3, region: eu-central-1, command: [cat, \(try keys("2222"))]}}
              over: {aws-sigv4: {service: s3, region: eu-central-1, command: [cat, \(try keys("2001"))]}}
            upstreams:
              lake: {url: "\(verifier.url)", credential: lake}
              over: {url: "\(verifier.url)", credential: over}
            bindings:
              GET /a: {to: lake /a}
              GET /over: {to: over /a}
            """)
        defer { gateway.end() }
        let answer = try gateway.get("/a")
        #expect(answer.status == 200 && answer.text.contains(AWSPeer.sessionToken), "\(answer.text)")
        #expect(try gateway.get("/over").expectProblem(.credentialUnavailable).detail.contains("have ended"))
    }

    // MARK: - HMAC

    /// The verifier knows nothing but docs/CREDENTIALS.md.
    @Test func anyHMACIsVerified() throws {
        let verifier = try PythonPeer(HMACPeer.script)
        defer { verifier.end() }
        let folder = try TemporaryFolder()
        try folder.write("a2V5LW9mLXRoZS1tYXJrZXQ=\n", to: "key")
        let gateway = try Daemon(
            """
            credentials:
              market:
                hmac:
                  key: {file: \(folder.file("key"))}
                  key-encoding: base64
                  key-id: gateway
                  parts: [method, target, host, date, nonce, body-hash, header Content-Type, text v1]
                  separator: "."
                  function: sha512
                  encoding: base64
                  date: epoch-milliseconds
                  fields:
                    {X-Key: "{key-id}", X-Time: "{date}", X-Nonce: "{nonce}", X-Signature: "v1={signature}"}
              old:
                hmac:
                  key: {value: key-of-the-old-market}
                  parts: [lowercase-method, path, query, header Date]
                  function: sha1
                  allow-sha1: true
                  date: http
                  fields: {Date: "{date}", Authorization: "HMAC {signature}"}
            upstreams:
              market: {url: "\(verifier.url)", credential: market}
            bindings:
              ANY /new/**: {to: "market /new/**"}
              ANY /old/**: {to: "market /old/**", credential: old}
            """)
        defer { gateway.end() }
        let client = try gateway.client()
        for (method, target, body) in [
            ("GET", "/new/a?b=c", nil), ("POST", "/new/a%20b", "body"), ("PUT", "/new/x", ""),
            ("GET", "/old/a?b=c", nil), ("POST", "/old/a", "body"), ("DELETE", "/old/%C3%BC", nil),
        ] as [(String, String, String?)] {
            let answer = try client.request(
                method, target, fields: ["Content-Type: text/plain", "X-Signature: mine", "X-Time: 1"], body: body)
            #expect(answer.status == 200, "\(method) \(target): \(answer.text)")
        }
    }
}

/// A request as clients send it, and with fields of theirs that must not go on.
private struct AWSClientRequest: CustomStringConvertible {
    let method, target: String
    var fields: [String] = []
    var body: String?

    var description: String { "\(method) \(target) \(fields) \(body?.count ?? -1)" }

    init(_ random: inout SeededGenerator) {
        let segments = [
            "a", "b%20c", "%C3%BC", "x+y", "100%25", "(1)", "a=b", "~", "A_-.z", "%2f", "@:$,;&", "", "e!*'",
        ]
        let names = ["list-type", "prefix", "a%20b", "X", "x-y", "empty", "%C3%A4", "a+b", "a"]
        let values = ["2", "a/b", "a%20b", "+", "%2B", "", "%7E~", "x=y", "%C3%BC", "2"]
        method = ["GET", "GET", "PUT", "POST", "DELETE", "HEAD", "PATCH"].randomElement(using: &random) ?? "GET"
        let path = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
            segments.randomElement(using: &random)
        }
        let pairs = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let name = names.randomElement(using: &random) ?? ""
            return Bool.random(using: &random) ? name + "=" + (values.randomElement(using: &random) ?? "") : name
        }
        let prefix = ["/lake/", "/lake/", "/open/", "/api/"].randomElement(using: &random) ?? ""
        target = prefix + "k" + path.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        let offered = [
            "Content-Type: text/plain;  charset=utf-8", "X-Amz-Meta-A:  a  b ", "X-Amz-Meta-B: 1", "X-Amz-Meta-B: 2",
            "x-amz-acl: private", "Range: bytes=0-1", "User-Agent: x", "Authorization: AWS4-HMAC-SHA256 mine",
            "X-Amz-Date: 20150830T123600Z", "X-Amz-Security-Token: mine", "X-Amz-Content-Sha256: UNSIGNED-PAYLOAD",
            "Content-MD5: 1B2M2Y8AsgTpgAmY7PhCfg==", "Accept: */*", "TE: trailers", "Cookie: a=b",
        ]
        fields = offered.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        if ["PUT", "POST", "PATCH"].contains(method) {
            let count = [0, 1, 1000, 70_000].randomElement(using: &random) ?? 0
            body = String(repeating: "ü", count: count / 2) + String(repeating: "x", count: count % 2)
        }
    }
}
