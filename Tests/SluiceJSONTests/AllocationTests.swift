import CAllocations
import SluiceContract
import SluiceJSON
import Testing

/// The steady state allocates nothing: per token, per object or per document.
@Suite struct AllocationTests {
    @Test(.enabled(if: allocations_are_counted()))
    func documentsAllocateNothing() throws {
        let fruit = #"{"name":"fig","size":3,"color":"green","ripe":false,"more":{"a":[1,2.5,{"b":"c\n"}]}}"#
        let fruits = Array(repeating: fruit, count: 200).joined(separator: ", ")
        let document = Array(#"{"values":[\#(fruits)]}"#.utf8)
        let plan = try Plan(
            [
                Extraction(path: try #require(FieldPath("values")), type: .array(.named("Fruit"))),
                Extraction(path: try #require(FieldPath("values.*.name")), type: .array(.string)),
                Extraction(
                    path: try #require(FieldPath("values")), type: .array(.fields(.init("size", .int))),
                    unknown: .drop),
            ], types: fruitTypes)
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
            #expect(first == second && first > document.count)
            #expect(!extractor.isFailed)
        }
    }
}
