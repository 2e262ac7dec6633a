import CAllocations
import SluiceContract
import SluiceJSON
import Testing

/// The steady state allocates nothing: per token, per object or per document.
@Suite struct AllocationTests {
    /// Several slices, of which one leaves keys out; one that leaves keys out; one that renames them too, and one that
    /// does nothing else; two that do both in the same objects; and one that puts in what is absent.
    private static func plans() throws -> [Plan] {
        let values = try #require(FieldPath("values"))
        let size = TypeExpression.array(.fields(.init("size", .int)))
        let renamed = TypeExpression.array(
            .fields(.init("title", .string, from: "name"), .init("colour", .string, from: "color")))
        let filled = TypeExpression.array(.fields(.init("size", .int), .init("price", .int, default: "0")))
        return [
            try Plan(
                [
                    Extraction(path: values, type: .array(.named("Fruit"))),
                    Extraction(path: try #require(FieldPath("values.*.name")), type: .array(.string)),
                    Extraction(path: values, type: size, unknown: .drop),
                ], types: fruitTypes),
            try Plan([Extraction(path: values, type: size, unknown: .drop)], types: []),
            try Plan([Extraction(path: values, type: renamed, unknown: .drop)], types: []),
            try Plan([Extraction(path: values, type: renamed)], types: []),
            try Plan(
                [
                    Extraction(path: values, type: renamed, unknown: .drop),
                    Extraction(path: values, type: size, unknown: .drop),
                ], types: []),
            try Plan([Extraction(path: values, type: filled, keys: .camelCase)], types: []),
        ]
    }

    @Test(.enabled(if: allocations_are_counted()), arguments: 0..<6)
    func documentsAllocateNothing(_ number: Int) throws {
        let fruit = #"{"name":"fig","size":3,"color":"green","ripe":false,"more":{"a":[1,2.5,{"b":"c\n"}]}}"#
        let fruits = Array(repeating: fruit, count: 200).joined(separator: ", ")
        let document = Array(#"{"values":[\#(fruits)]}"#.utf8)
        let plan = try Self.plans()[number]
        let extractor = Extractor(plan)
        func run(chunk: Int) -> Int {
            extractor.reset(plan)
            var shown = 0
            document.withUnsafeBytes { bytes in
                var start = 0
                while start < bytes.count {
                    let count = min(chunk, bytes.count - start)
                    extractor.feed(UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
                    for piece in extractor.pieces { shown += piece.count }
                    extractor.clearPieces()
                    start += count
                }
            }
            extractor.finish()
            return shown
        }
        for chunk in [1_500, 64, document.count] {
            let first = run(chunk: chunk)
            let before = allocations_of_thread()
            let second = run(chunk: chunk)
            let allocations = allocations_of_thread() - before
            #expect(allocations == 0)
            #expect(first == second && first > document.count / 10)
            #expect(!extractor.isFailed)
        }
    }
}
