import SluiceContract
import Testing

@testable import SluiceCredentials

@Suite struct TokenRecordTests {
    private var record: TokenRecord {
        var record = TokenRecord(family: .max, server: "https://a.example/\"x\"", clientID: "c\\1")
        record.serial = 12
        record.accessToken = "a.b-c"
        record.obtainedAt = 5
        record.expiresAt = 9
        record.refreshToken = "r2"
        record.previousRefreshToken = "r1"
        record.scope = "one two"
        return record
    }

    @Test func itIsReadAsItWasWritten() throws {
        #expect(TokenRecord(json: record.json) == record)
        var out = record
        out.accessToken = nil
        out.expiresAt = nil
        out.signedOut = "The server says:\n\"no\""
        #expect(TokenRecord(json: out.json) == out)
    }

    /// A file that was cut is none.
    @Test func noPartOfItIsARecord() {
        let json = record.json
        for count in 0..<json.count - 2 { #expect(TokenRecord(json: Array(json.prefix(count))) == nil) }
        #expect(TokenRecord(json: Array("{\"version\":2,\"serial\":1}".utf8)) == nil)
    }

    /// Numbers that nobody has written are no reason to reckon with them.
    @Test(
        arguments: [
            ("serial", "1", true), ("serial", "9007199254740991", true), ("serial", "9007199254740992", false),
            ("serial", "\(Int.max)", false), ("serial", "0", false), ("serial", "-1", false),
            ("obtained_at", "0", true), ("obtained_at", "1099511627776", true), ("obtained_at", "-1", false),
            ("obtained_at", "\(Int.min)", false), ("expires_at", "1099511627776", true),
            ("expires_at", "1099511627777", false), ("expires_at", "100000000000000", false),
            ("expires_at", "\(Int.max)", false), ("expires_at", "\(Int.min)", false), ("expires_at", "1e3", false),
            ("expires_at", "99999999999999999999", false),
        ] as [(String, String, Bool)])
    func numbersAreInTheirRanges(key: String, number: String, isTaken: Bool) {
        let members = ["serial": "12", "obtained_at": "5", "expires_at": "9"].merging([key: number]) { $1 }
            .map { ",\"\($0)\":\($1)" }
        let json = "{\"version\":1,\"family\":\"5\",\"server\":\"s\",\"client_id\":\"c\"\(members.joined())}"
        #expect((TokenRecord(json: Array(json.utf8)) != nil) == isTaken)
    }

    /// A server that gives no other refresh token for one takes it again.
    @Test(
        arguments: [
            (.refresh("r1"), nil, true), (.refresh("r1"), "r1", true), (.refresh("r1"), "r2", false),
            (.configuredRefresh, nil, true), (.configuredRefresh, "r1", false), (.device("d"), "r1", false),
        ] as [(TokenQuestion, String?, Bool)])
    func whatIsTakenAgain(_ question: TokenQuestion, next: String?, isReusable: Bool) {
        var client = OAuth2Client()
        client.grant = .refreshToken
        let record = TokenRecord(
            .init("a", refreshToken: next), after: nil, question, client, family: 1, at: Moment(now: 0, unix: 7),
            given: "g")
        #expect((record.reusable != nil) == isReusable && TokenRecord(json: record.json) == record)
        #expect(question.needsRoom(client, after: record, given: "g") == !isReusable)
        #expect(question.needsRoom(client, after: nil, given: "g"))
        // Another token than the one that was taken may be replaced.
        #expect(TokenQuestion.configuredRefresh.needsRoom(client, after: record, given: "h"))
        #expect(TokenQuestion.refresh("other").needsRoom(client, after: record, given: "g"))
        client.grant = .clientCredentials
        #expect(!question.needsRoom(client, after: nil, given: nil))
    }

    /// The last serial is followed by itself, and not by a crash or by what nobody would read.
    @Test func serialsEnd() {
        var last = record
        last.serial = (1 << 53) - 1
        let next = TokenRecord(
            .init("a"), after: last, .refresh("r2"), OAuth2Client(), family: 1, at: Moment(now: 0, unix: 7))
        #expect(next.serial == last.serial && TokenRecord(json: next.json) != nil)
    }
}
