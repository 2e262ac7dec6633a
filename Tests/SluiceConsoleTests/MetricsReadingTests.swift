import Testing

@testable import SluiceConsole

@Suite struct MetricsReadingTests {
    private static let page = """
        # HELP a_total What.
        # TYPE a_total counter
        a_total{binding="GET /a\\"b\\\\c\\n{x}",kind="y"} 3
        a_total{binding=""} 1.5e2 1700000000
        other_total{binding="GET /a"} 9
        plain 7
        broken{binding="GET 5
        a_total{binding} 5
        a_total{binding="x"} many
        times_bucket{le="+Inf"} 4

        """

    @Test func samplesAreRead() {
        let reading = MetricsReading(Self.page, names: ["a_total", "plain", "times_bucket", "broken"])
        #expect(
            reading["a_total"] == [
                .init(labels: ["binding": "GET /a\"b\\c\n{x}", "kind": "y"], value: 3),
                .init(labels: ["binding": ""], value: 150),
            ])
        #expect(reading.sum("plain") == 7 && reading.sum("a_total") == 153)
        #expect(reading["times_bucket"].first?.labels == ["le": "+Inf"])
        #expect(reading["other_total"].isEmpty, "nobody asked for it")
        #expect(reading["broken"].isEmpty)
    }

    /// Whatever it is, it is read to its end.
    @Test func damageIsNoMatter() {
        let bytes = Array(Self.page.utf8)
        for cut in bytes.indices {
            let text = String(decoding: bytes[..<cut], as: UTF8.self)
            #expect(MetricsReading(text, names: ["a_total", "broken", "plain"]).sum("a_total") <= 155)
        }
    }
}
