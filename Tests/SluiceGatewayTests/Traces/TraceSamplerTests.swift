import SluiceHTTP
import Testing

@testable import SluiceGateway

@Suite struct TraceSamplerTests {
    private static func begin(_ percent: Int, _ fields: [(FieldID, String)] = [], seed: UInt64 = 1) -> RequestTrace {
        var block = HeaderBlock()
        for (id, value) in fields { Array(value.utf8).withUnsafeBytes { block.append(id, value: $0) } }
        var random = RandomSource(seed: seed)
        return TraceSampler(percent: percent).begin(block, &random)
    }

    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static func parent(_ flags: String) -> (FieldID, String) {
        (.traceparent, "00-\(trace)-b7ad6b7169203331-\(flags)")
    }

    /// What the client has decided is decided, whatever the share is; its random flag goes on as it is (§3.2.2.5.2).
    @Test(arguments: [("00", 0), ("01", 1), ("02", 2), ("03", 3)], [0, 1, 50, 100])
    func keepsToTheParent(_ flags: (text: String, rawValue: Int), percent: Int) {
        let trace = Self.begin(percent, [Self.parent(flags.text)])
        #expect("\(trace.id)" == Self.trace)
        #expect(trace.parent == SpanID(0xb7ad_6b71_6920_3331))
        #expect(Int(trace.flags.rawValue) == flags.rawValue)
        #expect(trace.isSampled == (flags.rawValue & 1 == 1))
        #expect(trace.span.isValid && trace.span != trace.parent)
    }

    /// A trace that begins here has a random identifier, and says so.
    @Test(
        arguments: [
            [], [(.traceparent, "00-\(trace)-0000000000000000-01")], [parent("01"), parent("01")],
            [(.tracestate, "a=1")],
        ] as [[(FieldID, String)]])
    func beginsAnew(_ fields: [(FieldID, String)]) {
        let trace = Self.begin(100, fields)
        #expect("\(trace.id)" != Self.trace)
        #expect(trace.parent == nil)
        #expect(trace.flags == [.sampled, .random])
        // §3.4: what is said of another trace does not go on.
        #expect(!trace.passesState)
    }

    @Test(arguments: [("a=1", true), ("", false), ("A=1", false)])
    func passesStateThatIsWellFormed(_ state: String, passes: Bool) {
        #expect(Self.begin(0, [Self.parent("00"), (.tracestate, state)]).passesState == passes)
    }

    @Test(arguments: [0, 1, 10, 50, 99, 100])
    func takesAShare(percent: Int) {
        let count = 20_000
        let taken = (0..<count).count { Self.begin(percent, seed: UInt64($0)).isSampled }
        let expected = count * percent / 100
        // Six standard deviations, and none where there is no chance.
        let spread = (Double(expected) * Double(100 - percent) / 100).squareRoot() * 6
        #expect(abs(Double(taken - expected)) <= spread, "\(taken) of \(count)")
    }

    /// Whoever takes a greater share takes these, too.
    @Test func sharesAreNested() {
        let small = TraceSampler(percent: 10)
        let large = TraceSampler(percent: 30)
        var random = RandomSource(seed: 5)
        for _ in 0..<2000 {
            let id = TraceID(high: random.next(), low: random.next())
            #expect(!small.takes(id) || large.takes(id))
        }
    }
}
