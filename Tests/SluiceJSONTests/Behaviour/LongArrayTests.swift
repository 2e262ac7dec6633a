import SluiceContract
import SluiceJSON
import Testing

/// Arrays longer than a window, of numbers or of arrays of numbers, are gone over in one loop. Whatever stands in them,
/// and wherever, they get the verdicts and the bytes that they get byte by byte.
@Suite struct LongArrayTests {
    private static func plans() throws -> [Plan] {
        func limits(depth: Int) -> JSONLimits {
            JSONLimits(depth: depth, stringBytes: 1 << 20, keys: 1000, documentBytes: 1 << 20)
        }
        let pairs = TypeExpression.array(.array(.scalar(.double)))
        let values = try #require(FieldPath("values"))
        return [
            try Plan([Extraction(path: values, type: .array(.scalar(.double)))], types: []),
            try Plan([Extraction(path: values, type: .array(.int))], types: []),
            try Plan([Extraction(path: values, type: .array(.optional(.int)))], types: []),
            try Plan([Extraction(path: values, type: pairs)], types: []),
            try Plan([Extraction(path: values, type: pairs)], types: [], limits: limits(depth: 3)),
            try Plan([Extraction(path: values, type: pairs)], types: [], limits: limits(depth: 2)),
            try Plan([Extraction(path: try #require(FieldPath("values.2900")), type: .int)], types: []),
            try Plan([Extraction(path: try #require(FieldPath("values.*.0")), type: .array(.int))], types: []),
            try Plan([Extraction(path: values)], types: []),
        ]
    }

    private static let numbers = ["0", "7", "-12", "345678", "0.5", "-65.613616999999977", "1234567890"]
    private static let arrays = ["[1,2]", "[-65.613616999999977,43.420273000000009]", "[0]", "[]", "[1,2,3,4]"]
    private static let odd = [
        "01", "1.", "-", "\"1\"", "null", "true", "{}", "1 2", "", "[1", "[1]]", "1]", "[[1]]", "[1,]", "[\"a\"]",
        "1e5",
        "12345678901234567890", "[01]", " 7 ", "[ 1 , 2 ]", "1}", "[1}", "0.1234567890123456789012345678901234567890",
    ]

    /// - Parameter odd: what stands in the place of an element, and in which.
    private static func document(
        _ random: inout Seeded, of elements: [String], separator: String, odd: (text: String, place: Int)?
    ) -> [UInt8] {
        var values = (0..<3000).map { _ in elements.randomElement(using: &random) ?? "" }
        if let odd { values[odd.place] = odd.text }
        return Array(#"{"values":[\#(values.joined(separator: separator))],"end":[1]}"#.utf8)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func asByteByByte(_ seed: UInt64) throws {
        var random = Seeded(state: seed)
        for plan in try Self.plans() {
            let extractor = Extractor(plan)
            for elements in [["7", "12", "-3"], Self.numbers, Self.arrays] {
                let isOdd = Bool.random(using: &random)
                let odd = (Self.odd.randomElement(using: &random) ?? "", Int.random(in: 0..<3000, using: &random))
                let separator = [",", ",", ", ", " ,"].randomElement(using: &random) ?? ","
                let document = Self.document(
                    &random, of: elements, separator: separator, odd: isOdd ? odd : nil)
                let short = Run.byteByByte(plan, document)
                #expect(Run(plan, document, reusing: extractor) == short, "seed \(seed), odd: \(odd)")
                let cuts = random.cuts(of: document.count)
                #expect(Run(plan, document, cuts: cuts, reusing: extractor) == short, "seed \(seed), odd: \(odd)")
            }
        }
    }

    /// What is wrong is told with its number, which is counted along.
    @Test(arguments: Kernel.all)
    func faultsHaveTheirNumbers(_ kernel: Kernel) throws {
        for (place, type, right, wrong) in [
            (2500, TypeExpression.array(.int), "12", "1.5"),
            (2999, .array(.array(.int)), "[1,2]", "[1,false]"),
        ] {
            var values = [String](repeating: right, count: 3000)
            values[place] = wrong
            let plan = try Plan([Extraction(type: type)], types: [])
            let document = Array("[\(values.joined(separator: ","))]".utf8)
            let run = Run(plan, document, reusing: kernel.extractor(plan))
            #expect(run.faults.count == 1)
            #expect(run.faults.first?.name.hasPrefix("$[\(place)]") == true, "\(run.faults)")
            #expect(run == Run.byteByByte(plan, document))
        }
    }
}
