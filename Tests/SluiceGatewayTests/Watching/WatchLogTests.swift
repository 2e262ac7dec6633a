import Testing

@testable import SluiceGateway

/// What a client is told next, by what it has been told.
@Suite struct WatchLogTests {
    private static func log(_ changes: Int, max: Int = 10, bytes: Int = 10_000) -> WatchLog {
        var log = WatchLog(epoch: 7, changesMax: max, bytesMax: bytes)
        for number in 0..<changes { add(&log, "\(number + 1)") }
        return log
    }

    private static func add(_ log: inout WatchLog, _ name: String) {
        let id = log.nextID
        log.add(
            WatchEvent(.init("merge-patch", id: id, data: Array("c\(name)".utf8))),
            whole: WatchEvent(.init("data", id: id, data: Array("w\(name)".utf8))))
    }

    /// `c3` or `w3` of all that follows, and how many changes were skipped.
    private static func rest(_ log: WatchLog, _ position: inout WatchLog.Position) -> ([String], UInt64) {
        var (texts, skipped) = ([String](), UInt64(0))
        while let step = log.next(&position) {
            let text = String(decoding: step.event.bytes, as: UTF8.self)
            texts.append(String(text.split(separator: "data: ").last?.prefix { $0 != "\n" } ?? ""))
            skipped += step.skipped
        }
        return (texts, skipped)
    }

    @Test func whatIsKeptIsCounted() {
        var log = Self.log(5)
        let change = log.latest?.count ?? 0
        #expect(log.byteCount > 5 * change && log.byteCount < 8 * change)
        log.forgetChanges()
        #expect(log.byteCount < 3 * change)
        // One event in two places.
        var wholes = WatchLog(epoch: 7, changesMax: 10, bytesMax: 10_000)
        let whole = WatchEvent(.init("data", id: wholes.nextID, data: Array("w".utf8)))
        wholes.add(whole, whole: whole)
        #expect(wholes.byteCount == whole.count)
        wholes.forgetChanges()
        #expect(wholes.byteCount == whole.count)
        wholes.tell(WatchEvent(.init("loading", data: Array("{}".utf8))))
        #expect(wholes.byteCount > whole.count)
    }

    /// The event stream format takes the last line end away (WHATWG HTML §9.2.6): a text keeps its own.
    @Test(arguments: [
        ("a", "data: a\n"), ("a\n", "data: a\ndata: \n"), ("a\r\nb\r", "data: a\ndata: b\ndata: \n"),
        ("\n", "data: \ndata: \n"), ("", "data: \n"),
    ])
    func linesOfAText(_ text: String, _ lines: String) {
        let event = WatchEvent(.init("data", data: Array(text.utf8)))
        #expect(String(decoding: event.bytes, as: UTF8.self) == "event: data\n\(lines)\n")
    }

    @Test func whoComesGetsTheLatest() {
        let log = Self.log(5)
        var position = WatchLog.Position()
        #expect(Self.rest(log, &position) == (["w5"], 0))
        #expect(Self.rest(log, &position) == ([], 0))
    }

    @Test func whoKeepsUpGetsEachChange() {
        var log = Self.log(1)
        var position = WatchLog.Position()
        _ = Self.rest(log, &position)
        for number in 2...4 {
            Self.add(&log, "\(number)")
            #expect(Self.rest(log, &position) == (["c\(number)"], 0))
        }
    }

    @Test func whoIsBehindSkipsToTheLatest() {
        var log = Self.log(1)
        var position = WatchLog.Position()
        _ = Self.rest(log, &position)
        for number in 2...4 { Self.add(&log, "\(number)") }
        #expect(Self.rest(log, &position) == (["w4"], 2))
    }

    @Test(arguments: [
        (UInt64(5), [String](), true), (3, ["c4", "c5"], true), (2, ["c3", "c4", "c5"], true), (1, [], false),
        (6, [], false),
    ])
    func whoComesBackGetsWhatItHasMissed(_ number: UInt64, _ texts: [String], _ isKnown: Bool) throws {
        let log = Self.log(5, max: 3)
        let found = log.position(after: WatchID(epoch: 7, number: number))
        #expect((found != nil) == isKnown)
        #expect(log.position(after: WatchID(epoch: 8, number: number)) == nil)
        guard var position = found else { return }
        #expect(Self.rest(log, &position) == (texts, 0))
        #expect(!position.isResuming)
    }

    @Test func historyIsBounded() {
        let log = Self.log(100, max: 100, bytes: 100)
        #expect(log.position(after: WatchID(epoch: 7, number: 90)) == nil)
        #expect(log.position(after: WatchID(epoch: 7, number: 99)) != nil)
        // Without any, who knows the value before is told the change, and who comes back the value.
        var none = Self.log(1, max: 0)
        var position = WatchLog.Position()
        _ = Self.rest(none, &position)
        Self.add(&none, "2")
        #expect(Self.rest(none, &position) == (["c2"], 0))
        #expect(none.position(after: WatchID(epoch: 7, number: 1)) == nil)
    }

    /// The state comes behind the value that it is about, and is gone with the next one.
    @Test func statesAreOfTheValueBeforeThem() {
        var log = Self.log(0)
        var position = WatchLog.Position()
        log.tell(WatchEvent(.init("loading", data: Array("l".utf8))))
        #expect(Self.rest(log, &position) == (["l"], 0))
        Self.add(&log, "1")
        log.tell(WatchEvent(.init("problem", data: Array("p".utf8))))
        #expect(Self.rest(log, &position) == (["w1", "p"], 0))
        log.tell(WatchEvent(.init("problem", data: Array("q".utf8))))
        Self.add(&log, "2")
        #expect(Self.rest(log, &position) == (["c2"], 0))
        log.tell(nil)
        #expect(Self.rest(log, &position) == ([], 0))
    }

    static let ids: [(String, WatchID?)] = [
        ("7f-12", WatchID(epoch: 0x7F, number: 12)), ("0-0", WatchID(epoch: 0, number: 0)), ("7f", nil), ("", nil),
        ("7f-12-1", nil), ("x-1", nil), ("1-x", nil), (String(repeating: "1", count: 50) + "-1", nil),
    ]

    @Test(arguments: ids)
    func readsIDs(_ text: String, _ id: WatchID?) {
        #expect(WatchID(text) == id)
        if let id { #expect(id.description == text) }
    }

    @Test(arguments: [
        ("a", "data: a\n"), ("", "data: \n"), ("a\nb", "data: a\ndata: b\n"),
        ("a\r\nb\rc", "data: a\ndata: b\ndata: c\n"),
    ])
    func linesOfDataAreLines(_ data: String, _ lines: String) {
        let event = WatchEvent(.init("data", id: WatchID(epoch: 255, number: 1), data: Array(data.utf8)))
        #expect(String(decoding: event.bytes, as: UTF8.self) == "id: ff-1\nevent: data\n\(lines)\n")
    }
}
