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
}
