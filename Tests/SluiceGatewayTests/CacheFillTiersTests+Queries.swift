import Testing

@testable import SluiceGateway

/// Queries of one path in the tiers behind memory.
extension CacheFillTiersTests {
    @Test func queriesThatMakeNoDifferenceAreFound() throws {
        let loops = try Loops()
        try loops.fill(
            "Cache-Control: max-age=60", "No-Vary-Search: params=(\"utm\")", target: "/fruits?a=1&utm=2")
        loops.restart()
        let client = loops.ask(target: "/fruits?a=1&utm=3")
        loops.answer()
        loops.answer()
        #expect(client.answers.first?["Cache-Status"] == "sluice; hit; ttl=60; detail=DISK")
        #expect(loops.fetches == 0)
    }

    /// What is stored for a path is no answer to a query of it (RFC 9111 §4).
    @Test(arguments: [nil, "?a=1"]) func queriesThatMakeADifferenceAreAskedFor(stored: String?) throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60", target: "/fruits" + (stored ?? ""))
        loops.restart()
        let refused = loops.ask(0, "Cache-Control: only-if-cached", target: "/fruits?a=2")
        loops.answer()
        #expect(refused.answers.first?.status == 504)
        loops.benches.forEach { $0.advance(by: .seconds(2)) }
        let client = loops.ask(target: "/fruits?a=2")
        loops.answer()
        #expect(loops.fetches == 1)
        try loops.send("Cache-Control: max-age=60", body: "pear")
        #expect(client.answers.first?.text == "pear")
        #expect(client.answers.first?["Cache-Status"] == "sluice; fwd=uri-miss; stored")
    }

    /// What memory has in the place of a note by the time that the tier has read it is no answer to a query.
    @Test func aNoteWhosePlaceIsTaken() throws {
        let loops = try Loops()
        try loops.fill("Cache-Control: max-age=60", "No-Vary-Search: params=(\"utm\")", target: "/fruits?a=1")
        loops.restart()
        let client = loops.ask(target: "/fruits?a=2")
        let path = loops.ask(1, "Cache-Control: no-cache", target: "/fruits")
        try loops.send("Cache-Control: max-age=60", body: "path", loop: 1)
        #expect(path.answers.first?.text == "path")
        loops.answer()
        loops.answer()
        #expect(client.answers.isEmpty)
        try loops.send("Cache-Control: max-age=60", body: "pear")
        #expect(client.answers.first?.text == "pear")
    }
}
