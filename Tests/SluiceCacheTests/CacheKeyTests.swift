import Testing

@testable import SluiceCache

@Suite struct CacheKeyTests {
    @Test(arguments: [CacheKey(high: 0, low: 0), CacheKey(high: 1, low: .max), CacheKey(high: .max, low: 0x10)])
    func comesBackFromItsText(_ key: CacheKey) {
        #expect(key.text.utf8.count == 32)
        #expect(CacheKey(key.text) == key)
        #expect(CacheKey(key.text.uppercased()) == key)
    }

    @Test(arguments: [
        "", "0", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
        "0123456789abcdefg123456789abcdef", "+123456789abcdef0123456789abcdef", "-123456789abcdef0123456789abcdef",
        "éééééééééééééééé",
    ])
    func isNothingElse(_ text: String) {
        #expect(CacheKey(text) == nil)
    }
}
