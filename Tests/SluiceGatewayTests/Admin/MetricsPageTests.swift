import Testing

@testable import SluiceGateway

@Suite struct MetricsPageTests {
    /// Wherever a turn ends, at the end of a family too, each family begins once and has all its samples.
    @Test func familiesBeginOnce() {
        for count in 1...300 {
            let families = ["a", "b", "c"].map { name in
                MetricFamily(name, .gauge, "Help.", rows: count) { row, out in
                    out.sample(name, .gauge, [("row", "\(row)")], "1")
                }
            }
            var page = MetricsPage(families, as: .prometheus)
            while page.step() {}
            let lines = String(decoding: page.bytes, as: UTF8.self).split(separator: "\n")
            #expect(lines.filter { $0.hasPrefix("# TYPE") }.count == 3, "\(count) rows")
            #expect(lines.count == 3 * (count + 2), "\(count) rows")
        }
    }

    /// Long rows make short turns.
    @Test func aTurnWritesSoManyBytes() {
        let text = String(repeating: "x", count: 20_000)
        let family = MetricFamily("a", .gauge, "Help.", rows: 10) { _, out in out.sample("a", .gauge, [], text) }
        var page = MetricsPage([family], as: .prometheus)
        var turns = 1
        while page.step() { turns += 1 }
        #expect(turns == 5)
    }

    /// What has no rows has no head.
    @Test func emptyFamiliesAreLeftOut() {
        var page = MetricsPage([MetricFamily("a", .gauge, "Help.", rows: 0) { _, _ in }], as: .prometheus)
        let isMore = page.step()
        #expect(!isMore)
        #expect(page.bytes.isEmpty)
    }
}
