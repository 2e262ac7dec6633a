import SluiceHTTP
import Testing

@testable import SluiceGateway

@Suite struct CacheAsksTests {
    /// Each field says what it says, and nothing of the others.
    @Test(arguments: [
        ("Cache-Control", "no-cache", CacheAsks.directives), ("Pragma", "no-cache", .directives),
        ("If-None-Match", "\"a\"", .conditions), ("Range", "bytes=0-1", .range),
        ("Authorization", "Bearer a", .authorization), ("Accept", "*/*", CacheAsks()),
    ])
    func fields(_ name: String, _ value: String, _ asks: CacheAsks) {
        var fields = HeaderBlock()
        Array(name.utf8).withUnsafeBytes { name in
            Array(value.utf8).withUnsafeBytes { fields.append(name: name, value: $0) }
        }
        #expect(CacheAsks(fields) == asks)
        let all: [CacheAsks] = [.directives, .conditions, .range, .authorization, .nomination]
        #expect(all.filter { !$0.isDisjoint(with: asks) } == (asks.isEmpty ? [] : [asks]))
    }
}
