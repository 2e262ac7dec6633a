import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct MetricsSectionTests {
    @Test func readsBuckets() {
        let configuration = Bench("metrics: {buckets: [5ms, 1s]}\n").configuration()
        #expect(configuration.metrics.buckets == [.milliseconds(5), .seconds(1)])
        #expect(Bench("{}\n").configuration().metrics == MetricsSettings())
    }

    @Test(arguments: [
        ("[]", "1:20: 0 buckets"), ("[1s, 1s]", "1:25: 1s is no more than the bound before it"),
        ("[2s, 1s]", "1:25: 1s is no more than the bound before it"), ("[0]", "1:21: a bucket up to nothing"),
        ("[fast]", "1:21: the text 'fast' where a duration is wanted"),
        ("[\((1...33).map { "\($0)s" }.joined(separator: ", "))]", "1:20: 33 buckets"),
    ])
    func refuses(_ value: String, _ mistake: String) {
        let mistakes = Bench("metrics: {buckets: \(value)}\n").mistakes
        #expect(mistakes.count == 1 && mistakes.first?.hasPrefix(mistake) == true, "\(mistakes)")
    }
}
