import SluiceContract
import SluiceHTTP
import SluiceJSON
import Testing

@testable import SluiceGateway

/// What is cut out of one answer, piece by piece: no exchange, no gateway.
@Suite struct AnswerExtractionTests {
    /// A plan for the value of one binding, with a token to keep where there is a path to one.
    private static func plan(_ type: String, at path: String? = nil, keeping token: String? = nil, early: Bool = false)
        throws -> AnswerPlan
    {
        let binding = try Build.binding("GET /a", to: "fruit /a") {
            $0.parent = path.flatMap { FieldPath($0) }
            $0.keep = token.map { Binding.Keep(bearer: FieldPath(components: [.key($0)])) }
            $0.early = early
        }
        let value = type.isEmpty ? nil : try Build.type(type)
        let common = RouteCommon(Build.configuration([binding]))
        let plan = try AnswerPlan(binding, value: value, isError: false, keys: .verbatim, common)
        return try #require(plan)
    }

    /// One answer: feeds a document in pieces, and notes what goes out.
    private final class Run {
        private var extraction = AnswerExtraction()
        private(set) var outcomes: [AnswerExtraction.Outcome] = []
        /// What has gone out.
        private(set) var out = ""
        private(set) var isProvenEarly = false

        init(_ plan: AnswerPlan, hold: Int = 1000, early: Bool = false, sharing shared: SharedSlices? = nil) {
            extraction.begin(plan, Extractor(plan.plan), holdBytes: hold, endsEarly: early, sharing: shared)
        }

        var value: AnswerExtraction.Value { extraction.value }
        var delivery: AnswerExtraction.Delivery { extraction.delivery }
        var isActive: Bool { extraction.isActive }
        var isBroken: Bool { extraction.isBroken }
        var problem: Problem? { extraction.problem(upstream: "fruit", contentType: nil) }
        var token: String? { extraction.bearerToken.map { String(decoding: $0, as: UTF8.self) } }
        var extractor: Extractor? { extraction.extractor }

        func feed(_ text: String) {
            Array(text.utf8).withUnsafeBytes { bytes in
                outcomes.append(extraction.feed(bytes))
                isProvenEarly = extraction.isProvenEarly
                if [.outgrown, .streams].contains(outcomes.last) { takeHeld() }
                // What is borrowed from the piece is copied before it goes.
                extraction.settle(keepingIn: InputPages(byteCount: 64))
            }
        }

        func findToken(in text: String) {
            Array(text.utf8).withUnsafeBytes { extraction.findToken(in: $0) }
        }

        func finish() {
            outcomes.append(extraction.finish())
            if [.outgrown, .streams].contains(outcomes.last) { takeHeld() }
        }

        func takeHeld() {
            var held = Outbox()
            extraction.takeHeld(into: &held)
            held.forEachRun { run, _ in out += String(decoding: run, as: UTF8.self) }
        }

        func takeShared() -> SharedSlices? { extraction.takeShared() }

        func end() -> Extractor? { extraction.end() }

        func begin(_ plan: AnswerPlan, _ extractor: Extractor) {
            extraction.begin(plan, extractor, holdBytes: 1000, endsEarly: false)
            outcomes = []
            out = ""
        }
    }

    @Test(arguments: 1...8) func aValueIsHeldUntilItIsProven(size: Int) throws {
        let run = Run(try Self.plan("[Int]", at: "data"))
        for piece in Self.pieces(#"{"a": 1, "data": [1, 2, 3], "b": null}"#, size) { run.feed(piece) }
        #expect(Set(run.outcomes) == [.held] && run.out.isEmpty)
        run.finish()
        #expect(run.outcomes.last == .held && run.value == .held(9))
        run.takeHeld()
        #expect(run.out == "[1, 2, 3]")
        #expect(run.delivery == .held)
    }

    @Test(arguments: [4, 8, 9, 20]) func oneThatOutgrowsHoldIsStreamed(hold: Int) throws {
        let run = Run(try Self.plan("[Int]"), hold: hold)
        for piece in Self.pieces("[1, 2, 3]", 1) { run.feed(piece) }
        run.finish()
        let isStreamed = hold < 9
        #expect(run.outcomes.filter { $0 == .outgrown }.count == (isStreamed ? 1 : 0))
        #expect(run.delivery == (isStreamed ? .streaming : .held))
        #expect(run.value == (isStreamed ? .streamed : .held(9)))
        run.takeHeld()
        #expect(run.out == "[1, 2, 3]")
    }

    /// All that has drifted is shown, as long as nothing has gone out.
    @Test func theRestOfADriftedDocumentIsLookedAt() throws {
        let run = Run(try Self.plan("[Int]"))
        for piece in Self.pieces(#"["a", 2, "c"]"#, 2) { run.feed(piece) }
        #expect(Set(run.outcomes) == [.held])
        run.finish()
        #expect(run.outcomes.last == .failed)
        #expect(run.problem?.kind == .typeMismatch && run.problem?.faults.count == 2)
        #expect(!run.isBroken)
    }

    @Test(
        arguments: [
            // Broken is broken, wherever it is.
            ("[1, 2", 1000, "", true), ("[1,,2]", 1000, "", true), ("", 1000, "", true),
            // Some of it has gone out.
            (#"[1, 2, 3, "x", 5]"#, 4, "[1, 2, 3, ", false),
            // More than `hold:` has been looked at.
            (#"["x", 1, 2, 3, 4, 5, 6]"#, 12, "", false),
        ])
    func itFails(document: String, hold: Int, out: String, isBroken: Bool) throws {
        let run = Run(try Self.plan("[Int]"), hold: hold)
        for piece in Self.pieces(document, 1) where run.outcomes.last != .failed { run.feed(piece) }
        if run.outcomes.last != .failed { run.finish() }
        #expect(run.outcomes.last == .failed)
        #expect(out.hasPrefix(run.out))
        #expect(run.isBroken == isBroken)
        #expect(run.problem?.kind == .typeMismatch)
    }

    @Test func whatIsNotThereIsAbsent() throws {
        let run = Run(try Self.plan("Int?", at: "data.count"))
        run.feed(#"{"data": {}}"#)
        run.finish()
        #expect(run.outcomes == [.held, .held])
        #expect(run.value == .absent)
    }

    /// Nothing behind the value is looked at, not even to see whether it is JSON.
    @Test(arguments: [true, false]) func anEarlyEnd(early: Bool) throws {
        let run = Run(try Self.plan("Int", at: "a", early: early), early: early)
        run.feed(#"{"b": 1, "#)
        #expect(!run.isProvenEarly)
        run.feed(#""a": 7, "#)
        #expect(run.isProvenEarly == early)
        if early { #expect(run.value == .held(1)) }
        run.takeHeld()
        #expect(run.out == "7")
    }

    // MARK: - Beside the value

    @Test(
        arguments: [
            (#""abc""#, "abc"), (#""a\/b""#, "a/b"), ("7", nil), (#""a b""#, nil), (#""""#, nil), ("null", nil),
        ] as [(String, String?)], [true, false])
    func aTokenIsKept(_ example: (json: String, token: String?), hasValue: Bool) throws {
        let run = Run(try Self.plan(hasValue ? "JSON" : "", at: "data", keeping: "token"))
        let document = #"{"data": [1], "token": \#(example.json)}"#
        if hasValue { run.feed(document) } else { run.findToken(in: document) }
        run.finish()
        #expect(run.token == example.token)
    }

    private static func shared(_ values: [(String, String)]) throws -> AnswerPlan {
        let extractions = try values.map { name, type in
            Extraction(path: FieldPath(components: [.key(name)]), type: try Build.type(type))
        }
        let types: [TypeDefinition] = []
        return AnswerPlan(try Plan(extractions, types: types), valueSlice: 0)
    }

    /// What fails for one binding does not fail for the others.
    @Test(arguments: 1...6, [#"[1]"#, #"["x"]"#]) func siblingsGetTheirOwn(size: Int, own: String) throws {
        let plan = try Self.shared([("own", "[Int]"), ("other", "String"), ("wrong", "Int")])
        let slices = SharedSlices(count: 3, bytesMax: 100)
        let run = Run(plan, sharing: slices)
        for piece in Self.pieces(#"{"own": \#(own), "other": "fig", "wrong": true}"#, size) { run.feed(piece) }
        run.finish()
        #expect(run.outcomes.last == (own == "[1]" ? .held : .failed))
        let shared = try #require(run.takeShared())
        #expect(shared === slices)
        #expect(String(decoding: shared.take(1), as: UTF8.self) == #""fig""#)
        #expect(run.extractor?.isFailed(slice: 1) == false)
        #expect(run.extractor?.isFailed(slice: 2) == true)
        #expect(run.takeShared() == nil)
    }

    /// It serves one answer after the other.
    @Test func nothingIsLeftOfTheOneBefore() throws {
        let plan = try Self.plan("[Int]")
        let run = Run(plan, hold: 2)
        run.feed("[1, 2, 3")
        #expect(run.delivery == .streaming)
        let extractor = try #require(run.end())
        #expect(!run.isActive && run.delivery == .held)
        #expect(run.end() == nil)
        extractor.reset(plan.plan)
        run.begin(plan, extractor)
        run.feed("[4]")
        run.finish()
        run.takeHeld()
        #expect(run.out == "[4]")
    }

    private static func pieces(_ text: String, _ size: Int) -> [String] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: size).map {
            String(decoding: bytes[$0..<min($0 + size, bytes.count)], as: UTF8.self)
        }
    }
}
