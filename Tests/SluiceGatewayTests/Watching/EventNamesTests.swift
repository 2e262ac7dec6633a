import Testing

@testable import SluiceGateway

@Suite struct EventNamesTests {
    @Test(arguments: [
        ("event: changed\ndata: 1\n\n", 1), ("event:changed\r\ndata\r\n\r\n", 1), ("event: changed\rdata: 1\r\r", 1),
        ("event: other\ndata: 1\n\n", 0), ("data: 1\n\n", 0), ("event: changed\n\n", 0), (": changed\n\n", 0),
        ("event: changed\ndata: 1\n\nevent: changed\ndata: 2\n\n", 2), ("event: changed\ndata: 1\n", 0),
        ("event: other\nevent: changed\ndata: 1\ndata: 2\n\ndata: 3\n\n", 1),
        ("event: changed" + String(repeating: "x", count: 2000) + "\ndata: 1\n\n", 0),
    ])
    func countsEventsOfAName(_ text: String, _ count: Int) {
        let bytes = Array(text.utf8)
        for size in [bytes.count, 1, 7] {
            var names = EventNames(Array("changed".utf8))
            var found = 0
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { names.feed($0) }
            }
            #expect(found == count)
        }
    }

    @Test func withoutANameAllCount() {
        var names = EventNames(nil)
        let found = Array("data: 1\n\nevent: a\ndata: 2\n\nevent: b\n\n".utf8).withUnsafeBytes { names.feed($0) }
        #expect(found == 2)
        var messages = EventNames(Array("message".utf8))
        let named = Array("data: 1\n\nevent: a\ndata: 2\n\n".utf8).withUnsafeBytes { messages.feed($0) }
        #expect(named == 1)
    }
}
