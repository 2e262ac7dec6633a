import CSIMD
import SluiceContract
import SluiceJSON
import Testing

/// Every set of instructions gives the same results, those that this machine lacks included.
@Suite struct VectorsTests {
    private static func expectSame(_ plan: Plan, _ document: [UInt8], cuts: [Int] = [], _ name: String) {
        var expected: Run?
        for kernel in Kernel.all {
            // Twice with one extractor: the second time by what was learnt.
            let extractor = kernel.extractor(plan)
            _ = Run(plan, document, cuts: cuts, reusing: extractor)
            let run = Run(plan, document, cuts: cuts, reusing: extractor)
            #expect(run == expected ?? run, "\(name), \(kernel.testDescription)")
            expected = expected ?? run
        }
    }

    /// A set that nobody lists would be proven nowhere.
    @Test func allSetsAreHere() {
        let names = Kernel.all.map(\.testDescription)
        #expect(Set(names).count == names.count)
        for name in ["none", "sse2", "avx2", "avx512", "neon"] {
            #expect(names.contains(name) || names.contains("\(name), emulated"))
        }
        #expect(String(cString: sluice_json_kernel_widest().pointee.name) == Kernel.own.last?.name)
    }

    @Test(arguments: DocumentTests.samples)
    func documents(_ sample: DocumentTests.Sample) throws {
        let whole = try sample.document
        var random = Seeded(state: 7)
        for plan in try sample.plans {
            Self.expectSame(plan, whole, sample.name)
            Self.expectSame(plan, whole, cuts: random.cuts(of: whole.count), sample.name)
            for round in 0..<20 {
                var damaged = whole
                let place = Int.random(in: 0..<whole.count, using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                Self.expectSame(plan, damaged, "\(sample.name), round \(round)")
            }
        }
    }

    /// Long enough for windows: the cases stand in the middle of an array.
    @Test func testSuite() throws {
        let plans = [
            try Plan([Extraction(type: JSONTestSuiteTests.looking)], types: JSONTestSuiteTests.types),
            try Plan("99.nothing"),
        ]
        let filler = Array(String(repeating: #"{"a": [1, -2.5e3, "text", true, null]}, "#, count: 30).utf8)
        for name in JSONTestSuiteTests.cases where !name.hasPrefix("n_structure_100000") {
            let document =
                Array("[".utf8) + filler + (try JSONTestSuiteTests.document(name)) + Array(",".utf8) + filler
                + Array("0]".utf8)
            for plan in plans { Self.expectSame(plan, document, name) }
        }
    }

    @Test(arguments: LikenessTests.items)
    func objectsAlike(_ members: [String]) throws {
        let plans = try LikenessTests.plans()
        for member in members.indices {
            let key = members[member].prefix { $0 != ":" }
            for value in LikenessTests.values {
                var odd = members
                odd[member] = "\(key):\(value)"
                for plan in plans {
                    Self.expectSame(plan, LikenessTests.document(members, odd, at: 4, of: 6), "\(odd)")
                }
            }
        }
    }

    @Test(arguments: 0..<12)
    func editedObjects(_ seed: UInt64) throws {
        var objects = RandomObjects(seed: 1000 + seed)
        let made = objects.plan()
        let plan = try #require(made)
        for round in 0..<3 { Self.expectSame(plan, objects.document(), "seed \(seed), round \(round)") }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func wholeArrays(_ seed: UInt64) throws {
        var random = Seeded(state: 500 + seed)
        for plan in try WholeArrayTests.plans() {
            for isRight in [true, false] {
                let document = WholeArrayTests.document(&random, isRight: isRight)
                Self.expectSame(plan, document, "seed \(seed)")
                Self.expectSame(plan, document, cuts: random.cuts(of: document.count), "seed \(seed)")
            }
        }
    }

    /// Texts of a type: the quick look and the close one agree on every text, right or not.
    @Test(arguments: [
        (
            Scalar.url,
            ["https://a.example/users{/login}?q=1", "http://", "https://a", "//a", "/a[b]", "mailto:é", "http:"]
        ),
        (
            .date(.iso8601),
            ["2024-05-01T12:00:00Z", "2024-05-01T12:00:00.123Z", "2024-02-29", "2024-05-01T12:00:00+02:00"]
        ),
        (.date(.local), ["2024-05-01T12:00:00Z", "2024-05-01T12:00:00", "2024-05-01", "2024-05-01T12:00"]),
        (.uuid, ["123e4567-e89b-12d3-a456-426614174000"]), (.data, ["YQ==", "YWI=", "YWJjYWJj"]),
    ])
    func typedTexts(_ scalar: Scalar, _ texts: [String]) throws {
        let plan = try Plan("", .array(.scalar(scalar)))
        var random = Seeded(state: 17)
        for round in 0..<400 {
            let all = (0..<6).map { _ in
                var text = Array((texts.randomElement(using: &random) ?? "").utf8)
                for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty {
                    let place = Int.random(in: 0..<text.count, using: &random)
                    text[place] = Array("/:?#[]@%{}|^`<>~!$&'()*+,;=.-_aZ09T ".utf8).randomElement(using: &random) ?? 0
                }
                return "\"" + String(decoding: text, as: UTF8.self) + "\""
            }
            let document = Array("[\(all.joined(separator: ", "))]".utf8)
            Self.expectSame(plan, document, "round \(round)")
            #expect(Run(plan, document) == Run.byteByByte(plan, document), "\(all)")
        }
    }

    /// Sequences of every length, whole and broken, across the bounds of vectors.
    @Test func utf8() throws {
        let plan = try Plan("", .string)
        var random = Seeded(state: 11)
        for round in 0..<300 {
            let text = (0..<Int.random(in: 20...400, using: &random)).map { _ in
                ["a", "é", "€", "😀", "plain text of some length, "][Int.random(in: 0..<5, using: &random)]
            }
            var document = Array("\"\(text.joined())\"".utf8)
            if round % 3 > 0 {
                let place = Int.random(in: 0..<document.count, using: &random)
                document[place] = UInt8.random(in: 0x80...0xFF, using: &random)
            }
            Self.expectSame(plan, document, "round \(round)")
            Self.expectSame(plan, Array("[".utf8) + document + Array("]".utf8), "round \(round)")
        }
    }
}
