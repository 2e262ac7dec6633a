import SluiceContract
import SluiceRules
import Testing

@testable import SluiceConfig

@Suite struct LimitsSectionTests {
    @Test func readsEachIntoItsPlace() {
        let limits = Bench(
            """
            limits: {request-line: 1KiB, header-block: 2KiB, header-count: 3, body: 4KiB, body-parameters: 5KiB,
                     buffered: 6KiB, connections: 7, json-depth: 8, json-string: 9KiB, json-keys: 10,
                     json-document: 11KiB, error-body: 12KiB, header-timeout: 13s, body-timeout: 14s, keep-alive: 15s,
                     connections-per-client: 16, descriptor-reserve: 17, keep-alive-requests: 18,
                     rate-clients: 19, min-rate: 20B, buffered-total: 21KiB}
            """
        ).configuration().limits
        #expect(limits.requestLineBytes == 1 << 10)
        #expect(limits.headerBytes == 2 << 10)
        #expect(limits.headerCount == 3)
        #expect(limits.bodyBytes == 4 << 10)
        #expect(limits.bodyParametersBytes == 5 << 10)
        #expect(limits.bufferedBytes == 6 << 10)
        #expect(limits.connections == 7)
        #expect(limits.jsonDepth == 8)
        #expect(limits.jsonStringBytes == 9 << 10)
        #expect(limits.jsonKeys == 10)
        #expect(limits.jsonBytes == 11 << 10)
        #expect(limits.errorBodyBytes == 12 << 10)
        #expect(limits.headerTimeout == .seconds(13))
        #expect(limits.bodyTimeout == .seconds(14))
        #expect(limits.keepAlive == .seconds(15))
        #expect(limits.connectionsPerClient == 16)
        #expect(limits.descriptorReserve == 17)
        #expect(limits.keepAliveRequests == 18)
        #expect(limits.rateClients == 19)
        #expect(limits.rateBytesMin == 20)
        #expect(limits.bufferedTotalBytes == 21 << 10)
    }

    @Test func refusesWhatNeverWorks() {
        #expect(
            Bench("limits: {header-timeout: 0s, connections: 0}\n").mistakes
                == ["1:26: a wait of nothing never succeeds", "1:43: 0 is out of range"])
    }

    /// Of every limit: both ends are read, and what is beyond them is refused with both ends named.
    @Test(arguments: Limits.settings.indices)
    func ends(_ index: Int) {
        let setting = Limits.settings[index]
        let name = setting.name
        guard let (least, below, most, above) = Self.ends(of: setting.kind) else {
            Issue.record("\(name) has no ends")
            return
        }
        for value in [least, most] { #expect(Bench("limits: {\(name): \(value)}\n").mistakes == []) }
        for value in [below, above].compactMap(\.self) {
            let mistakes = Bench("limits: {\(name): \(value)}\n").load().mistakes
            #expect(mistakes.count == 1, "\(name): \(value)")
            guard mistakes.first?.message.hasSuffix(" is out of range") == true else { continue }
            #expect(mistakes.first?.expected?.hasSuffix(" from \(least) to \(most)") == true)
        }
        if let below, below != "0" {
            #expect(Bench("limits: {\(name): \(below)}\n").mistakes.first?.hasSuffix("is out of range") == true)
        }
    }

    private static func ends(of kind: SettingKind) -> (least: String, below: String?, most: String, above: String)? {
        switch kind {
        case .size(let range):
            (
                Quantity.text(bytes: range.lowerBound),
                range.lowerBound > 0 ? Quantity.text(bytes: range.lowerBound - 1) : nil,
                Quantity.text(bytes: range.upperBound), Quantity.text(bytes: range.upperBound + 1)
            )
        case .count(let range):
            ("\(range.lowerBound)", "\(range.lowerBound - 1)", "\(range.upperBound)", "\(range.upperBound + 1)")
        case .duration(let range):
            (
                Quantity.text(range.lowerBound), Quantity.text(range.lowerBound - .milliseconds(1)),
                Quantity.text(range.upperBound), Quantity.text(range.upperBound + .milliseconds(1))
            )
        case .percent, .flag, .choice, .words, .texts, .text, .part: nil
        }
    }
}
