import SluiceContract
import SluiceSigning
import Testing

@testable import SluiceCredentials

/// What an authorization server is asked, beside the examples of the RFCs.
@Suite struct ServerRequestTests {
    private let moment = Moment(now: 0, unix: 1_800_000_000)

    private func client(_ grant: OAuth2Client.Grant, _ edit: (inout OAuth2Client) -> Void = { _ in }) -> OAuth2Client {
        var client = OAuth2Client()
        client.clientID = "s6BhdRkqt3"
        client.tokenURL = "https://server.example.com/token"
        client.grant = grant
        edit(&client)
        return client
    }

    private func request(
        _ client: OAuth2Client, _ question: TokenQuestion, _ secrets: ClientSecrets = ClientSecrets()
    ) throws -> ServerRequest {
        let url = try #require(EndpointURL("https://server.example.com/token"))
        return try client.tokenRequest(question, at: url, secrets, moment)
    }

    private func form(_ request: ServerRequest) -> String { String(decoding: request.form ?? [], as: UTF8.self) }

    /// RFC 6749 §4.4.2 and §6, with the credentials of §2.3.1.
    @Test func theClientShowsItsSecret() throws {
        let secrets = ClientSecrets(secret: "gX1fBat3bV")
        let confidential = client(.clientCredentials) { $0.clientSecret = .value("x") }
        let own = try request(confidential, .own, secrets)
        #expect(own.fields == [HeaderSetting(name: "Authorization", value: "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW")])
        #expect(form(own) == "grant_type=client_credentials")
        let refresh = try request(confidential, .refresh("tGzv3JOkF0XG5Qx2TlKWIA"), secrets)
        #expect(form(refresh) == "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA")
        let hidden = ["czZCaGRSa3F0MzpnWDFmQmF0M2JW", "gX1fBat3bV", "tGzv3JOkF0XG5Qx2TlKWIA"]
        #expect(refresh.secrets == hidden.map { Array($0.utf8) })
        let body = client(.clientCredentials) { ($0.clientSecret, $0.authentication) = (.value("x"), .body) }
        let shown = ClientSecrets(secret: "7Fjfp0ZBr1KtDRbnfVdmIw")
        let other = try request(body, .refresh("tGzv3JOkF0XG5Qx2TlKWIA"), shown)
        #expect(
            form(other) == "grant_type=refresh_token&refresh_token=tGzv3JOkF0XG5Qx2TlKWIA"
                + "&client_id=s6BhdRkqt3&client_secret=7Fjfp0ZBr1KtDRbnfVdmIw")
    }

    /// §2.3.1: both are encoded as in a form before they are joined.
    @Test func aSecretWithSignsInItIsEncoded() throws {
        let odd = client(.clientCredentials) { ($0.clientID, $0.clientSecret) = ("a b", .value("x")) }
        let own = try request(odd, .own, ClientSecrets(secret: "c:d%"))
        let pair = Base64.text(Array("a+b:c%3Ad%25".utf8))
        #expect(own.fields.first?.value == "Basic " + pair)
        // Each spelling of it is a secret.
        for text in ["c:d%", "c%3Ad%25", pair] { #expect(own.secrets.contains(Array(text.utf8)), "\(text)") }
    }

    /// A server may echo the password of a user in its error, as it may the secret of the client.
    @Test func parametersMayBeSecret() throws {
        let server = client(.clientCredentials) {
            $0.parameters = [
                .init(name: "password", value: "a b"), .init(name: "assertion", value: "eyJ"),
                .init(name: "api_key", value: ""), .init(name: "tenant", value: "fruit"),
                .init(name: "requested_token_type", value: "urn"),
            ]
        }
        let hidden = ["a b", "a+b", "eyJ"].map { Array($0.utf8) }
        #expect(try request(server, .own).secrets == hidden)
        let url = try #require(EndpointURL("https://server.example.com/device"))
        #expect(try server.deviceRequest(at: url, ClientSecrets(), moment).secrets == hidden)
    }

    /// RFC 6749 §4.1.1, RFC 7636 §4.3.
    @Test func theAddressThatAPersonOpens() throws {
        let browser = client(.authorizationCode) {
            $0.scope = ["a", "b c"]
            $0.parameters = [.init(name: "x", value: "&")]
        }
        let endpoint = try #require(EndpointURL("https://server.example.com/authorize?tenant=1"))
        #expect(
            browser.authorizationURL(endpoint, challenge: "ch", state: "xyz", redirect: "http://127.0.0.1:1/cb")
                == "https://server.example.com/authorize?tenant=1&response_type=code&client_id=s6BhdRkqt3"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb&scope=a+b+c&state=xyz&code_challenge=ch"
                + "&code_challenge_method=S256&x=%26")
    }

    /// RFC 6749 §4.1.3, RFC 7636 §4.5; RFC 8628 §3.4.
    @Test func codesAreExchanged() throws {
        let question = TokenQuestion.code("SplxlOBeZQQYbYS6WxSbIA", verifier: "v", redirect: "http://r/")
        let code = try request(client(.authorizationCode), question)
        #expect(
            form(code) == "grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA&redirect_uri=http%3A%2F%2Fr%2F"
                + "&code_verifier=v&client_id=s6BhdRkqt3")
        let device = try request(client(.deviceCode), .device("GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"))
        #expect(
            form(device) == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                + "&device_code=GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS&client_id=s6BhdRkqt3")
    }

    /// RFC 8693 §2.3.
    @Test func tokensAreExchanged() throws {
        let exchange = client(.tokenExchange) { $0.resource = ["https://backend.example.com/api"] }
        let token = "accVkjcJyb4BWCxGsndESCJQbdFMogUC5PbRDqceLTC"
        let own = try request(exchange, .own, ClientSecrets(subjectToken: token))
        #expect(
            form(own) == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"
                + "&subject_token=accVkjcJyb4BWCxGsndESCJQbdFMogUC5PbRDqceLTC"
                + "&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
                + "&resource=https%3A%2F%2Fbackend.example.com%2Fapi&client_id=s6BhdRkqt3")
    }

    @Test(
        arguments: [
            (.clientCredentials, .own, "client-secret"), (.refreshToken, .configuredRefresh, "refresh-token"),
            (.tokenExchange, .own, "subject-token"), (.jwtBearer, .own, "key"),
        ] as [(OAuth2Client.Grant, TokenQuestion, String)])
    func whatCannotBeReadIsNamed(grant: OAuth2Client.Grant, question: TokenQuestion, key: String) {
        let lacking = client(grant) { if grant == .clientCredentials { $0.clientSecret = .env("X") } }
        let fault = #expect(throws: RequestFault.self) { try request(lacking, question) }
        #expect(fault?.description.contains("'\(key)'") == true)
    }

    // MARK: - Metadata

    /// RFC 8414 §3.1.
    @Test(arguments: [
        ("https://example.com", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"),
        (
            "https://example.com/issuer1", "/.well-known/oauth-authorization-server/issuer1",
            "/issuer1/.well-known/openid-configuration"
        ),
        (
            "https://example.com/a/b/", "/.well-known/oauth-authorization-server/a/b",
            "/a/b/.well-known/openid-configuration"
        ),
    ])
    func metadataAreLookedForInTwoPlaces(issuer: String, first: String, second: String) {
        let requests = client(.clientCredentials) { $0.issuer = issuer }.metadataRequests()
        #expect(requests.map(\.url.target) == [first, second] && requests.allSatisfy { $0.method == "GET" })
    }

    /// RFC 8705 §5, the example with shorter names.
    @Test(arguments: [OAuth2Client.Authentication.tls, .none], [false, true])
    func certificatesAreAskedForElsewhere(authentication: OAuth2Client.Authentication, isBound: Bool) throws {
        let json = """
            {"issuer":"https://a.example","authorization_endpoint":"https://a.example/authz",
            "token_endpoint":"https://a.example/token","revocation_endpoint":"https://a.example/revo",
            "device_authorization_endpoint":"https://a.example/device",
            "mtls_endpoint_aliases":{"token_endpoint":"https://mtls.a.example/token",
            "revocation_endpoint":"https://mtls.a.example/revo","introspection_endpoint":"https://mtls.a.example/i"}}
            """
        let asked = client(.clientCredentials) {
            ($0.issuer, $0.tokenURL) = ("https://a.example", nil)
            ($0.authentication, $0.isBound) = (authentication, isBound)
        }
        let metadata = try ServerMetadata(json: Array(json.utf8), for: asked)
        let site = authentication == .tls || isBound ? "https://mtls.a.example" : "https://a.example"
        #expect(metadata.tokenURL.site == site && metadata.revokeURL?.site == site)
        #expect(metadata.authorizeURL?.site == "https://a.example" && metadata.deviceURL?.site == "https://a.example")
    }

    @Test(arguments: [
        (#"{"issuer":"https://a.example","token_endpoint":"https://b.example/t"}"#, nil),
        (#"{"issuer":"https://a.example/","token_endpoint":"https://b.example/t"}"#, nil),
        (#"{"issuer":"https://evil.example","token_endpoint":"https://b.example/t"}"#, "another issuer"),
        (#"{"token_endpoint":"https://b.example/t"}"#, "another issuer"),
        (#"{"issuer":"https://a.example"}"#, "no token_endpoint"),
        (#"{"issuer":"https://a.example","token_endpoint":"http://b.example/t"}"#, "without TLS"),
        ("[]", "another issuer"),
    ])
    func metadataAreThoseOfTheIssuer(json: String, fault: String?) {
        let asked = client(.clientCredentials) { ($0.issuer, $0.tokenURL) = ("https://a.example", nil) }
        do throws(RequestFault) {
            let metadata = try ServerMetadata(json: Array(json.utf8), for: asked)
            #expect(fault == nil && metadata.tokenURL.site == "https://b.example")
        } catch {
            #expect(fault.map(error.description.contains) == true)
        }
    }
}
