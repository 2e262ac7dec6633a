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

    /// OTLP 1.0, "Partial Success": `partial_success { rejected_spans, error_message }`.
    @Test(
        arguments: [
            ([0x0A, 0x05, 0x08, 0xAC, 0x02, 0x12, 0x00], .takenInPart(refused: 300)), ([], .taken),
            ([0x0A, 0x00], .taken),
            ([0x0A, 0x03, 0x12, 0x01, 0x61], .taken), ([0x0A, 0x02, 0x08, 0x00], .taken),
            ([0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x0A, 0x02, 0x08, 0x07], .takenInPart(refused: 7)),
            ([0x0A, 0x05, 0x08, 0xAC], .taken), ([0x0A, 0x7F, 0x08, 0x07], .taken), ([0x0F, 0x01], .taken),
        ] as [([UInt8], CollectorAnswer)])
    func someSpansMayBeRefused(_ body: [UInt8], _ answer: CollectorAnswer) {
        #expect(CollectorAnswer.taken.reading(body) == answer)
        let refusal = CollectorAnswer(status: 400, retryAfter: nil)
        #expect(refusal.reading(body) == refusal)
    }
}
