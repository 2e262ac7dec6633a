import SluiceContract
import SluiceJSON
import Testing

/// A key that stands twice is a fault for who names it. To others who read the same document it is a key like any that
/// they do not name.
@Suite struct RepeatedKeyTests {
    private static let likely = #"{"x":1,"y":2}"#

    /// What slices that do not name `x` make of an object, by its text: of `renamed`, `y` is `why`.
    private static func others(_ odd: String, _ renamed: String) throws -> [(extraction: Extraction, value: String)] {
        let path = try #require(FieldPath("a"))
        func list(_ one: String, _ odd: String) -> String {
            let around = Array(repeating: one, count: 20)
            return "[" + (around + [odd] + around).joined(separator: ",") + "]"
        }
        let y = TypeExpression.array(.fields(.init("y", .int)))
        let why = TypeExpression.array(.fields(.init("why", .int, from: "y")))
        let left = #"{"y":2}"#
        return [
            (Extraction(path: try #require(FieldPath("n"))), "5"), (Extraction(path: path), list(likely, odd)),
            (Extraction(path: path, type: y), list(likely, odd)),
            (Extraction(path: path, type: y, unknown: .drop), list(left, left)),
            (Extraction(path: path, type: why), list(#"{"x":1,"why":2}"#, renamed)),
            (Extraction(path: path, type: .array(.dictionary(.scalar(.json)))), list(likely, odd)),
        ]
    }

    private static func owners() throws -> [Extraction] {
        let path = try #require(FieldPath("a"))
        let x = TypeExpression.array(.fields(.init("x", .int)))
        return [
            Extraction(path: path, type: x), Extraction(path: path, type: x, unknown: .drop),
            Extraction(path: path, type: .array(.fields(.init("ex", .int, from: "x"))), unknown: .drop),
            Extraction(path: try #require(FieldPath("a.*.x")), type: .array(.scalar(.json))),
        ]
    }

    /// What comes out of each slice; nil where it has failed.
    private static func slices(_ plan: Plan, _ document: [UInt8], cuts: [Int]) -> [String?] {
        let extractor = Extractor(plan)
        var slices = Array(repeating: [UInt8](), count: plan.extractions.count)
        func take() {
            for piece in extractor.pieces {
                slices[piece.slice] += UnsafeRawBufferPointer(start: piece.base, count: piece.count)
            }
            extractor.clearPieces()
        }
        for (from, to) in zip([0] + cuts, cuts + [document.count]) {
            document[from..<to].withUnsafeBytes { chunk in
                extractor.feed(chunk)
                take()
            }
        }
        extractor.finish()
        take()
        return slices.indices.map { slice in
            extractor.isFailed(slice: slice) ? nil : String(decoding: slices[slice], as: UTF8.self)
        }
    }

    @Test(arguments: [
        (#"{"x":1,"y":2,"x":3}"#, #"{"x":1,"why":2,"x":3}"#), (#"{"x":1,"x":3,"y":2}"#, #"{"x":1,"x":3,"why":2}"#),
        (#"{"y":2,"x":1,"x":[{"y":1},"y"]}"#, #"{"why":2,"x":1,"x":[{"y":1},"y"]}"#),
        (#"{"x":1,"x":{"y":[1]},"x":"x","y":2}"#, #"{"x":1,"x":{"y":[1]},"x":"x","why":2}"#),
        (#"{"\u0078":1,"y":2,"x":null,"z":{}}"#, #"{"\u0078":1,"why":2,"x":null,"z":{}}"#),
    ])
    func onlyWhoNamesItFails(_ odd: String, _ renamed: String) throws {
        let others = try Self.others(odd, renamed)
        let around = Array(repeating: Self.likely, count: 20)
        let list = (around + [odd] + around).joined(separator: ",")
        let document = Array(#"{"a":[\#(list)],"n":5}"#.utf8)
        var random = Seeded(state: 7)
        var cuts: [[Int]] = [[], Array(stride(from: 1, to: document.count, by: 40))]
        for _ in 0..<6 { cuts.append(random.cuts(of: document.count)) }
        for owner in try Self.owners() {
            for group in others.map({ [$0] }) + [others] {
                let extractions = [owner] + group.map { $0.extraction }
                let plan = try Plan(extractions, types: [])
                let expected: [String?] = [nil] + group.map { $0.value }
                for cut in cuts {
                    let found = Self.slices(plan, document, cuts: cut)
                    #expect(found == expected, "\(extractions), cuts \(cut.prefix(8))")
                }
            }
        }
    }

    /// The second value is looked at by who looks at all values, and by nobody else.
    @Test func theSecondValueIsOneOfAnUndeclaredKey() throws {
        let path = try #require(FieldPath("a"))
        let plan = try Plan(
            [
                Extraction(path: path, type: .fields(.init("x", .int))),
                Extraction(path: path, type: .dictionary(.int)),
                Extraction(path: path, type: .fields(.init("y", .int)), unknown: .reject),
            ], types: [])
        let extractor = Extractor(plan)
        Array(#"{"a":{"x":1,"x":"b"}}"#.utf8).withUnsafeBytes { extractor.feed($0) }
        extractor.finish()
        #expect(extractor.faults(of: 0).map(\.expected) == ["the key once"])
        #expect(extractor.faults(of: 1).map(\.found) == [#"string "b""#])
        #expect(
            extractor.faults(of: 2).map(\.expected) == ["only declared keys", "only declared keys", #""y": Int"#])
    }

    /// With more keys than one word has bits for.
    @Test func oneOfManyKeys() throws {
        let fields = (0..<70).map { ObjectType.Field("f\($0)", .int) }
        let plan = try Plan(
            [Extraction(type: .object(ObjectType(fields: fields))), Extraction(type: .dictionary(.int))], types: [])
        let members = ((0..<70).map { #""f\#($0)":1"# } + [#""f65":2"#]).joined(separator: ",")
        let document = "{\(members)}"
        #expect(Self.slices(plan, Array(document.utf8), cuts: []) == [nil, document])
        #expect(Self.slices(plan, Array(document.utf8), cuts: [100, 400]) == [nil, document])
    }
}
