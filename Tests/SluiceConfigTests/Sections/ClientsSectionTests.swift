import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ClientsSectionTests {
    private static let digest = String(repeating: "0F", count: 32)

    @Test func readsDigests() {
        let other = String(repeating: "a1", count: 32)
        let clients = fruit(
            "GET /a: {to: fruit /a}",
            root: "client-rate: 5/s\nclients: {ci: {key: [\"\(Self.digest)\", \"\(other)\"], rate: 10/s}}"
        ).configuration().clients
        #expect(clients.map(\.name) == ["ci"])
        #expect(clients.first?.keyDigests == [Array(repeating: 15, count: 32), Array(repeating: 0xa1, count: 32)])
        #expect(clients.first?.rate == RateLimit(10, per: .seconds(1)))
    }

    /// What is no digest may be the key itself.
    @Test(arguments: ["sluice_abc", "{key: s3cret}", "{s3cret: 1}"])
    func secretsAreNotShown(text: String) throws {
        let value = text.hasPrefix("{") ? text : "{key: \(text)}"
        let mistakes = fruit("GET /a: {to: fruit /a}", root: "clients: {ci: \(value)}").load().mistakes
        #expect(!mistakes.isEmpty)
        for mistake in mistakes {
            #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("s3cret"))
            #expect(!"\(mistake) \(mistake.excerpt ?? "")".contains("sluice_abc"))
        }
    }

    @Test func aKeyHasOneClient() {
        let mistakes = fruit(
            "GET /a: {to: fruit /a}",
            root: "clients:\n  a: {key: \"\(Self.digest)\"}\n  b: {key: \"\(Self.digest)\"}"
        ).mistakes
        #expect(mistakes == ["3:12: this key stands in line 2 already"])
    }
}
