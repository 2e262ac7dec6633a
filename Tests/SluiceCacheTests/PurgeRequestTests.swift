import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceCache

@Suite struct PurgeRequestTests {
    static let source = EntryLabel.Source(binding: "GET /fruits", tags: ["fruit", "all"])

    /// An answer of `GET /fruits` for `/fruits?limit=3`, in the group `orchard`.
    static func entry(
        _ number: UInt64 = 1, source: EntryLabel.Source = source, target: String = "/fruits?limit=3",
        group: String? = "orchard", in store: MemoryStore? = nil
    ) -> StoredResponse {
        let facts = DecisionTests.facts(200, ["Cache-Control: max-age=60"])
        var head = StoredHead(
            status: 200, freshness: Freshness(facts, CachePolicy()), initialAge: 0, responseTime: 1_000_000_000)
        if let group {
            Array("Cache-Groups".utf8).withUnsafeBytes { name in
                Array("\"\(group)\", \"b\"".utf8).withUnsafeBytes { head.append(name: name, value: $0) }
            }
        }
        let epochs = (store ?? MemoryStore(CacheSettings())).epochs
        head.dependencies = [epochs.dependency(on: 1)]
        if group != nil { head.dependencies.append(epochs.dependency(on: 2)) }
        head.label = EntryLabel(source, target: Array(target.utf8))
        return StoredResponse.make(head, key: MemoryStoreTests.key(number), bodyCount: 0) { _ in }
    }

    static let selections: [(PurgeRequest.Selection, Bool)] = [
        (.everything, true), (.binding("GET /fruits"), true), (.binding("GET /fruit"), false),
        (.key(MemoryStoreTests.key(1)), true), (.key(MemoryStoreTests.key(2)), false),
        (.target(Array("/fruits?limit=3".utf8)), true), (.target(Array("/fruits".utf8)), false),
        (.tag("fruit"), true), (.tag("all"), true), (.tag("frui"), false),
        (.group(Array("orchard".utf8)), true), (.group(Array("b".utf8)), true), (.group(Array("c".utf8)), false),
    ]

    @Test(arguments: selections)
    func selects(_ selection: PurgeRequest.Selection, _ isSelected: Bool) {
        let entry = Self.entry()
        let request = PurgeRequest(selection)
        #expect(request.selects(entry) == isSelected)
        #expect(request.selects(entry.key, entry.label) == isSelected)
    }

    /// A note of what selects among answers has no label, and goes with everything alone.
    @Test(arguments: selections.map(\.0))
    func aNoteHasNoLabel(_ selection: PurgeRequest.Selection) {
        let request = PurgeRequest(selection)
        let isSelected = request.selects(MemoryStoreTests.key(7), EntryLabel())
        #expect(isSelected == (selection == .everything))
    }
}
