import Testing

@testable import SluiceIO

@Suite struct CollectorAnswerTests {
    /// OTLP 1.0, "Retryable Response Codes".
    @Test(arguments: [429, 502, 503, 504])
    func someStatusesAreForLater(_ status: Int) {
        let answer = CollectorAnswer(status: status, retryAfter: 7)
        #expect(answer == .notNow(reason: "it answered with status \(status)", seconds: 7))
    }

    @Test(arguments: [400, 401, 404, 413, 500, 501, 301])
    func othersAreForEver(_ status: Int) {
        #expect(CollectorAnswer(status: status, retryAfter: 7) == .refused(reason: "it answered with status \(status)"))
    }

    @Test(arguments: [200, 202]) func takes(_ status: Int) {
        #expect(CollectorAnswer(status: status, retryAfter: nil) == .taken)
    }
}
