import SluiceContract
import Testing

@testable import SluiceCredentials

/// Answers as the RFCs print them.
@Suite struct TokenAnswerExampleTests {
    @Test(
        arguments: [
            // RFC 6749 §4.1.4 and §5.1; their type is an example, and no type that anybody knows how to show.
            (
                """
                {
                  "access_token":"2YotnFZFEjr1zCsicMWpAA",
                  "token_type":"example",
                  "expires_in":3600,
                  "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA",
                  "example_parameter":"example_value"
                }
                """, .refused(code: "token_type", description: "tokens of type 'example' are not understood")
            ),
            // RFC 6750 §4.
            (
                """
                {
                  "access_token":"mF_9.B5f-4.1JqM",
                  "token_type":"Bearer",
                  "expires_in":3600,
                  "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA"
                }
                """, .tokens(.init("mF_9.B5f-4.1JqM", lifetime: 3600, refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA"))
            ),
            // RFC 8693 §2.3 (figure 4), with a token of the same length.
            (
                """
                {
                 "access_token":"eyJhbGciOiJFUzI1NiIsImtpZCI6IjllciJ9.eyJhdWQi.eyJpc3Mi",
                 "issued_token_type":
                     "urn:ietf:params:oauth:token-type:access_token",
                 "token_type":"Bearer",
                 "expires_in":60
                }
                """,
                .tokens(.init("eyJhbGciOiJFUzI1NiIsImtpZCI6IjllciJ9.eyJhdWQi.eyJpc3Mi", lifetime: 60))
            ),
        ] as [(String, TokenAnswer)])
    func successes(json: String, answer: TokenAnswer) {
        #expect(TokenAnswer(success: Array(json.utf8)) == answer)
    }

    /// RFC 8628 §3.2.
    @Test func deviceCodes() throws {
        let json = """
            {
              "device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
              "user_code": "WDJB-MJHT",
              "verification_uri": "https://example.com/device",
              "verification_uri_complete":
                  "https://example.com/device?user_code=WDJB-MJHT",
              "expires_in": 1800,
              "interval": 5
            }
            """
        let code = try #require(DeviceCode(json: Array(json.utf8)))
        #expect(code.deviceCode == "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS" && code.userCode == "WDJB-MJHT")
        #expect(code.verificationURL == "https://example.com/device")
        #expect(code.completeURL == "https://example.com/device?user_code=WDJB-MJHT")
        #expect(code.lifetime == 1800 && code.interval == 5)
    }

    /// What people open is a page of the web.
    @Test(
        arguments: [
            ("https://a.example/device", true), ("HTTP://a.example", true), ("javascript:alert(1)", false),
            ("file:///etc/passwd", false), ("https:a.example", false), ("a.example/device", false), ("", false),
            (#"https://a.example/\u001b]0;x\u0007"#, false), (#"https://a.example/\u009b2J"#, false),
            ("https://a.example/ device", false),
        ] as [(String, Bool)])
    func addressesOfDeviceCodes(url: String, isTaken: Bool) {
        func code(_ address: String, _ complete: String) -> DeviceCode? {
            let members = #""verification_uri":"\#(address)","verification_uri_complete":"\#(complete)""#
            return DeviceCode(json: Array(#"{"device_code":"d","user_code":"u",\#(members)}"#.utf8))
        }
        let good = "https://b.example"
        #expect((code(url, good) != nil) == isTaken)
        #expect(code(good, url)?.verificationURL == good)
        #expect((code(good, url)?.completeURL != nil) == isTaken)
    }

    /// RFC 6749 §5.2 and RFC 8628 §3.5: each of their codes is a refusal, whatever the server thinks of it.
    @Test(
        arguments: [
            "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
            "invalid_scope", "authorization_pending", "slow_down", "access_denied", "expired_token",
        ])
    func errors(code: String) {
        #expect(
            TokenAnswer(failure: "no", code: code, status: 400, retryAfterSeconds: nil)
                == .refused(code: code, description: "no"))
    }

    /// RFC 7515 §A.3.1.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----
        """

    /// RFC 7523 §2.1, with an assertion that is signed here.
    @Test func anAssertionIsAGrant() throws {
        var client = OAuth2Client()
        client.clientID = "s6BhdRkqt3"
        client.grant = .jwtBearer
        client.subject = "somebody"
        let url = try #require(EndpointURL("https://as.example.com/token.oauth2"))
        let key = ClientSecrets(key: Array(Self.key.utf8))
        let moment = Moment(now: 0, unix: 1_800_000_000)
        let request = try client.tokenRequest(.own, at: url, key, moment)
        let form = String(decoding: request.form ?? [], as: UTF8.self)
        #expect(request.method == "POST")
        #expect(form.hasPrefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=eyJ"))
        // No text may have it.
        let assertion = try #require(form.split(separator: "&").first { $0.hasPrefix("assertion=") }).dropFirst(10)
        #expect(request.secrets.contains(Array(assertion.utf8)))
    }
}
