import Testing

@testable import SluiceGateway

/// Text format 0.0.4 of Prometheus, and OpenMetrics 1.0.0.
@Suite struct MetricsTextTests {
    static func text(_ format: MetricsText.Format, _ write: (inout MetricsText) -> Void) -> String {
        var text = MetricsText(format)
        write(&text)
        text.end()
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// OpenMetrics names a family without the suffix that its samples have, and tells the unit.
    @Test(arguments: [
        (
            MetricsText.Format.prometheus, MetricsText.Kind.counter,
            "# HELP a_bytes_total Help.\n# TYPE a_bytes_total counter\na_bytes_total{x=\"y\"} 7\n"
        ),
        (
            .openMetrics, .counter,
            "# HELP a_bytes Help.\n# TYPE a_bytes counter\n# UNIT a_bytes bytes\na_bytes_total{x=\"y\"} 7\n# EOF\n"
        ),
        (.prometheus, .gauge, "# HELP a_bytes Help.\n# TYPE a_bytes gauge\na_bytes{x=\"y\"} 7\n"),
        (
            .openMetrics, .gauge,
            "# HELP a_bytes Help.\n# TYPE a_bytes gauge\n# UNIT a_bytes bytes\na_bytes{x=\"y\"} 7\n# EOF\n"
        ),
        (
            .prometheus, .info,
            "# HELP a_bytes_info Help.\n# TYPE a_bytes_info gauge\na_bytes_info{x=\"y\"} 7\n"
        ),
        (
            .openMetrics, .info,
            "# HELP a_bytes Help.\n# TYPE a_bytes info\n# UNIT a_bytes bytes\na_bytes_info{x=\"y\"} 7\n# EOF\n"
        ),
    ])
    func writesFamilies(_ format: MetricsText.Format, _ kind: MetricsText.Kind, _ expected: String) {
        let text = Self.text(format) {
            $0.begin("a_bytes", kind, unit: "bytes", help: "Help.")
            $0.sample("a_bytes", kind, [("x", "y")], "7")
        }
        #expect(text == expected)
    }

    @Test(arguments: [
        ("plain", "plain", "plain"), ("", "", ""), (#"a\b"#, #"a\\b"#, #"a\\b"#), ("a\nb", #"a\nb"#, #"a\nb"#),
        (#"say "a""#, #"say \"a\""#, #"say "a""#), ("\\\n\"", #"\\\n\""#, #"\\\n""#), ("ü{}=,", "ü{}=,", "ü{}=,"),
    ])
    func escapes(_ text: String, _ label: String, _ help: String) {
        #expect(MetricsText.escaped(text, quotes: true) == label)
        #expect(MetricsText.escaped(text, quotes: false) == help)
    }

    @Test(arguments: [
        (0, "0.0"), (1, "0.000000001"), (5_000_000, "0.005"), (1_000_000_000, "1.0"), (2_500_000_000, "2.5"),
        (UInt64.max, "18446744073.709551615"),
    ])
    func writesSeconds(_ nanoseconds: UInt64, _ text: String) {
        #expect(MetricsText.seconds(nanoseconds) == text)
    }

    /// What lies in each bucket is added up: `le` is all that is no longer than that.
    @Test func addsUpBuckets() {
        let text = Self.text(.openMetrics) {
            $0.histogram(
                "t_seconds", [("b", "GET /")], bounds: [1_000_000, 2_000_000], counts: [3, 0, 4], sum: 9_000_000)
        }
        #expect(
            text == """
                t_seconds_bucket{b="GET /",le="0.001"} 3
                t_seconds_bucket{b="GET /",le="0.002"} 3
                t_seconds_bucket{b="GET /",le="+Inf"} 7
                t_seconds_sum{b="GET /"} 0.009
                t_seconds_count{b="GET /"} 7
                # EOF

                """)
    }

    /// OpenMetrics 1.0.0, "Exemplars"; the older format would take them for garbage.
    @Test(arguments: [MetricsText.Format.openMetrics, .prometheus])
    func bucketsHaveExemplars(_ format: MetricsText.Format) {
        let exemplar = Exemplars.Exemplar(
            trace: TraceID(high: 1, low: 2), nanoseconds: 1_500_000, unixSeconds: 1_700_000_000)
        let text = Self.text(format) {
            $0.histogram(
                "t_seconds", [], bounds: [1_000_000, 2_000_000], counts: [3, 1, 4], sum: 1,
                exemplars: [nil, exemplar, exemplar])
        }
        let written = " # {trace_id=\"00000000000000010000000000000002\"} 0.0015 1700000000.0"
        let shown = format == .openMetrics ? written : ""
        #expect(
            text.split(separator: "\n").prefix(3).map(String.init) == [
                "t_seconds_bucket{le=\"0.001\"} 3", "t_seconds_bucket{le=\"0.002\"} 4\(shown)",
                "t_seconds_bucket{le=\"+Inf\"} 8\(shown)",
            ])
    }
}
