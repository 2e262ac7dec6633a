import Testing

@testable import SluiceGateway

@Suite struct ItemCounterTests {
    @Test(
        arguments: [
            ("[]", 0), ("[ ]", 0), ("[1]", 1), ("[1, 2]", 2), (#"["a,b", "\",", "]"]"#, 3), ("[[1,2],[3]]", 2),
            (#"[{"a": [1,2], "b": "}"}, null]"#, 2), ("[[]]", 1), ("[{}]", 1), (" [ true ,false]", 2),
            (#"["\\", 1]"#, 2), ("7", 0), (#"{"a": 1, "b": 2}"#, 0),
        ])
    func countsElements(document: String, count: Int) {
        let bytes = Array(document.utf8)
        for cut in 0...bytes.count {
            var counter = ItemCounter()
            for piece in [bytes[..<cut], bytes[cut...]] { Array(piece).withUnsafeBytes { counter.count($0) } }
            #expect(counter.count == count, "\(document) at \(cut)")
        }
    }

    @Test func arraysAddUp() {
        var counter = ItemCounter()
        for text in ["[1,2]", "[]", "[[3]]"] {
            Array(text.utf8).withUnsafeBytes { counter.count($0) }
            counter.arrayEnded()
        }
        #expect(counter.count == 3)
    }
}
