import Testing

@testable import SluiceGateway

/// The last exchanges, and no more of them.
@Suite struct InspectionRingTests {
    private let ring = InspectionRing { 1_763_860_000_123 }

    private func add(_ target: String) {
        let summary = Inspection.Summary(
            at: 1_763_860_000_007, method: "GET", target: target, binding: nil, status: 200, problem: nil,
            nanoseconds: 1_234_567, cache: nil, credential: nil, trace: nil)
        let side = Inspection.Side(line: "GET \(target)", fields: [], body: .text(""), size: 0, isCut: false)
        ring.add(Inspection(summary: summary, request: side, answer: nil, attempts: [], phases: []))
    }

    private var targets: [Substring] {
        ring.list.text.split(separator: #""target":""#).dropFirst().map { $0.prefix { $0 != "\"" } }
    }

    @Test func withoutRoomItIsOff() {
        add("/a")
        #expect(ring.list.text == #"{"on":false}"#)
        #expect(ring.details(1) == nil)
    }

    @Test func theNewestComesFirstAndTheOldestGoes() {
        ring.resize(to: 3)
        for target in ["/a", "/b", "/c", "/d"] { add(target) }
        #expect(targets == ["/d", "/c", "/b"])
        #expect(ring.list.text.hasPrefix(#"{"on":true,"last":3,"exchanges":[{"id":"4","at":1763860000.007,"#))
        #expect(ring.list.text.contains(#""milliseconds":1.234"#))
        #expect(ring.details(1) == nil && ring.details(5) == nil && ring.details(0) == nil)
        #expect(ring.details(2)?.text.contains(#""line":"GET /b""#) == true)
    }

    @Test func anotherSizeKeepsWhatFits() {
        ring.resize(to: 3)
        for target in ["/a", "/b", "/c", "/d"] { add(target) }
        ring.resize(to: 2)
        #expect(targets == ["/d", "/c"])
        add("/e")
        #expect(targets == ["/e", "/d"])
        ring.resize(to: 5)
        #expect(targets == ["/e", "/d"])
        add("/f")
        #expect(targets == ["/f", "/e", "/d"] && ring.details(6)?.text.contains("/f") == true)
        ring.resize(to: 0)
        #expect(ring.list.text == #"{"on":false}"#)
    }
}
