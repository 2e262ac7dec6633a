import Foundation
import SluiceClient
import Testing

/// R11 and P10: dates and names, both ways.
@Suite struct JSONCodingTests {
    struct Event: Codable, Equatable {
        var startDate: Date
        var itemCount: Int
    }

    static let event = Event(startDate: Date(timeIntervalSince1970: 1_700_000_000), itemCount: 2)

    @Test(arguments: [
        (JSONCoding.Dates.iso8601, #""2023-11-14T22:13:20Z""#), (.seconds, "1700000000"),
        (.milliseconds, "1700000000000"), (.deferred, "721692800"),
    ])
    func r11DateStrategies(dates: JSONCoding.Dates, text: String) throws {
        let coding = JSONCoding(dates: dates)
        let bytes = try coding.encode(Self.event)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"itemCount":2,"startDate":\#(text)}"#)
        #expect(try coding.decode(Event.self, from: bytes) == Self.event)
    }

    @Test func r11FractionsOfSecondsAreRead() throws {
        let json = #"{"itemCount":2,"startDate":"2023-11-14T22:13:20.500Z"}"#
        let event = try JSONCoding().decode(Event.self, from: Array(json.utf8))
        #expect(event.startDate.timeIntervalSince1970 == 1_700_000_000.5)
    }

    /// R11, the trap: a timeout of 10,000 s.
    @Test func r11TheTimeoutIsHalfAMinute() {
        #expect(GatewayClient.Settings().timeout == .seconds(30))
    }

    @Test func p10NamesBothWays() throws {
        let coding = JSONCoding(dates: .seconds, keys: .snakeCase)
        let bytes = try coding.encode(Self.event)
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"item_count":2,"start_date":1700000000}"#)
        #expect(try coding.decode(Event.self, from: bytes) == Self.event)
    }
}
