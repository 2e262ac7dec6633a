import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct ExchangeRecordTests {
    private static func attempt(at now: UInt64) -> AttemptRecord {
        AttemptRecord(.first, SpanID(1), upstream: "u", site: "http://u", method: "GET", target: "/", at: now)
    }

    @Test func isBounded() {
        let record = ExchangeRecord(at: 1)
        for index in 0..<(ExchangeRecord.attemptsMax + 5) {
            #expect(record.begin(Self.attempt(at: 2)) == (index < ExchangeRecord.attemptsMax ? index : nil))
        }
        for _ in 0..<(ExchangeRecord.eventsMax + 5) { record.note(RecordedEvent(at: 3, kind: .hedge)) }
        #expect(record.attempts.count == ExchangeRecord.attemptsMax)
        #expect(record.events.count == ExchangeRecord.eventsMax)
    }

    /// Once each, and only what ends after the exchange.
    @Test func tellsOfLateEnds() {
        let record = ExchangeRecord(at: 1)
        var told: [Int] = []
        record.onLateEnd = { _, position in told.append(position) }
        let positions = (0..<3).compactMap { _ in record.begin(Self.attempt(at: 2)) }
        record.note(positions[0]) { $0.endedAt = 3 }
        record.end(at: 4)
        record.note(positions[1]) { $0.answeredAt = 5 }
        record.note(positions[1]) { $0.endedAt = 6 }
        record.note(positions[1]) { $0.status = 200 }
        #expect(told == [1])
        #expect(record.endedAt == 4)
    }
}
