import Testing

@testable import SluiceCredentials

@Suite struct TokenAnswerTests {
    /// RFC 6749 §5.1, and what servers make of it.
    @Test(
        arguments: [
            (
                #"{"access_token":"2Yot","token_type":"example","expires_in":3600}"#,
                .refused(code: "token_type", description: "tokens of type 'example' are not understood")
            ),
            (
                #"{"access_token":"2Yot","token_type":"Bearer","refresh_token":"tGzv","scope":"a b"}"#,
                .tokens(.init("2Yot", refreshToken: "tGzv", scope: "a b"))
            ),
            (#"{"access_token":"a","expires_in":"60"}"#, .tokens(.init("a", lifetime: 60))),
            (#"{"access_token":"a","expires_in":0}"#, .tokens(.init("a"))),
            (#"{"access_token":"a","expires_in":-1}"#, .tokens(.init("a"))),
            (#"{"access_token":"a","refresh_token":""}"#, .tokens(.init("a"))),
            (#"{"access_token":"a","expires_in":1e30}"#, .tokens(.init("a", lifetime: 315_360_000))),
            (#"{"error":"bad_code"}"#, .refused(code: "bad_code", description: nil)),
            (
                #"{"access_token":"a b"}"#,
                .unavailable("its answer has no access_token that a field can hold", retryAfterSeconds: nil)
            ),
            ("<html>", .unavailable("its answer has no access_token that a field can hold", retryAfterSeconds: nil)),
        ] as [(String, TokenAnswer)])
    func successes(json: String, answer: TokenAnswer) {
        #expect(TokenAnswer(success: Array(json.utf8)) == answer)
    }

    /// What a server was told stands in no log, though it may be told to do so.
    @Test(
        arguments: [
            (
                #"{"error":"bad s3cret","error_description":"no such code: s3cret"}"#,
                .refused(code: "bad ***", description: "no such code: ***")
            ),
            (
                #"{"access_token":"a","token_type":"s3cret"}"#,
                .refused(code: "token_type", description: "tokens of type '***' are not understood")
            ),
            (#"{"access_token":"a","scope":"one s3cret"}"#, .tokens(.init("a", scope: "one ***"))),
        ] as [(String, TokenAnswer)])
    func whatAServerEchoesIsNotTold(json: String, answer: TokenAnswer) {
        func masked(_ text: String) -> String { text.replacing("s3cret", with: "***") }
        #expect(TokenAnswer(success: Array(json.utf8), masked: masked) == answer)
        if json.contains("scope") { return }
        let bound = TokenAnswer(success: Array(json.utf8), isBound: true, masked: masked)
        #expect(!"\(bound)".contains("s3cret"))
    }

    /// RFC 9449 §5: the example of figure 6, and tokens that nobody has bound.
    @Test(arguments: [("DPoP", true), ("dpop", true), ("Bearer", false), (nil, false)] as [(String?, Bool)])
    func boundTokensSaySo(type: String?, isTaken: Bool) {
        let member = type.map { #","token_type":"\#($0)""# } ?? ""
        let text = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
        let json = #"{"access_token":"\#(text)"\#(member),"expires_in":2677}"#
        let answer = TokenAnswer(success: Array(json.utf8), isBound: true)
        let token = TokenAnswer.tokens(.init(text, lifetime: 2677))
        #expect((answer == token) == isTaken)
        if case .refused(let code, _) = answer { #expect(!isTaken && code == "token_type") }
    }

    /// "Sourcing credentials with an external process", AWS SDKs and Tools Reference Guide.
    @Test(
        arguments: [
            (#"{"Version":1,"AccessKeyId":"a","SecretAccessKey":"s"}"#, ["a", "s"], nil),
            (
                #"{"AccessKeyId":"a","SecretAccessKey":"s","SessionToken":"t","Expiration":"1970-01-01T00:01:00Z"}"#,
                ["a", "s", "t"], 60
            ),
            (#"{"AccessKeyId":"a","SecretAccessKey":"s","Expiration":"1969-12-31T23:59:59Z"}"#, nil, nil),
            (#"{"AccessKeyId":"a","SecretAccessKey":"s","Expiration":"soon"}"#, nil, nil),
            (#"{"AccessKeyId":"a"}"#, nil, nil), ("a", nil, nil),
        ] as [(String, [String]?, Int?)])
    func keysThatProgramsPrint(output: String, keys: [String]?, lifetime: Int?) {
        let read = try? ProgramToken(Array(output.utf8), .awsKeys, at: Moment(now: 0, unix: 0))
        #expect(read?.texts == keys && read?.lifetime == lifetime.map { Duration.seconds($0) })
    }

    @Test(
        arguments: [
            (400, "invalid_grant", .refused(code: "invalid_grant", description: "no")),
            (401, nil, .refused(code: "status 401", description: "no")),
            (429, nil, .unavailable("no", retryAfterSeconds: 7)),
            (503, "x", .unavailable("no", retryAfterSeconds: 7)), (nil, nil, .unavailable("no", retryAfterSeconds: 7)),
        ] as [(Int?, String?, TokenAnswer)])
    func failures(status: Int?, code: String?, answer: TokenAnswer) {
        #expect(TokenAnswer(failure: "no", code: code, status: status, retryAfterSeconds: 7) == answer)
    }

    @Test(
        arguments: [
            ("ghp_x\n", "ghp_x", nil), (#"{"access_token":"a","expires_in":60}"#, "a", 60),
            (#" {"token":"b"}"#, "b", nil), (#"{"token":"b","expires_in":0.4}"#, "b", 0.4),
            (#"{"token":"b","expires_in":1e30}"#, "b", 315_360_000),
            (#"{"status":{"token":"k"}}"#, "k", nil), ("", nil, nil), ("two words", nil, nil), ("{}", nil, nil),
        ] as [(String, String?, Double?)])
    func whatProgramsPrint(output: String, token: String?, lifetime: Double?) {
        let read = try? ProgramToken(Array(output.utf8), at: Moment(now: 0, unix: 0))
        #expect(read?.texts.first == token && read?.lifetime == lifetime.map { Duration.seconds($0) })
    }
}
