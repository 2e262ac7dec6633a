import Testing

@testable import SluiceCredentials

@Suite struct TokenChangeTests {
    private static func record(_ family: UInt64, _ serial: Int, end: Int?, signedOut: String? = nil) -> TokenRecord {
        var record = TokenRecord(family: family, server: "https://a.example", clientID: "c")
        record.serial = serial
        record.expiresAt = end
        record.scope = "read"
        record.signedOut = signedOut
        return record
    }

    @Test(
        arguments: [
            (nil, nil, nil), (nil, record(1, 1, end: 10), .signedIn(expiresAt: 10, scope: "read")),
            (record(1, 1, end: 10), record(1, 2, end: 20), .renewed(before: 10, expiresAt: 20)),
            (record(1, 2, end: nil), record(1, 3, end: nil), .renewed(before: nil, expiresAt: nil)),
            (record(1, 1, end: 10), record(1, 1, end: 10), nil),
            (record(1, 5, end: 10), record(2, 6, end: 20), .signedIn(expiresAt: 20, scope: "read")),
            (record(1, 1, end: 10), nil, .signedOut),
            (record(1, 1, end: 10), record(1, 2, end: 10, signedOut: "no"), nil),
        ] as [(TokenRecord?, TokenRecord?, TokenChange?)])
    func isToldInOneWord(before: TokenRecord?, after: TokenRecord?, change: TokenChange?) {
        #expect(TokenChange(before, after) == change)
    }
}
