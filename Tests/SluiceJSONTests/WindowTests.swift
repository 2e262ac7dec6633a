import SluiceContract
import SluiceJSON
import Testing

/// A long chunk is looked at in windows of 12 KiB, and the next one begins at the object that the end of one cuts.
/// Wherever that end falls, and whatever is wrong there, the result is that of bytes that come a few at a time.
@Suite struct WindowTests {
    /// Bytes of the windows that these documents are about.
    private static let windowBytes = 12_288

    private static let types = [
        TypeDefinition(
            name: "Item",
            type: .fields(
                .init("id", .int), .init("name", .string), .init("ripe", .bool), .init("weight", .scalar(.double)),
                .init("note", .optional(.string))))
    ]

    private static func plans() throws -> [Plan] {
        let values = try #require(FieldPath("values"))
        let items = TypeExpression.array(.named("Item"))
        return try [
            Plan([Extraction(path: values, type: items)], types: types),
            Plan([Extraction(path: values, type: items, unknown: .drop)], types: types),
            Plan(
                [
                    Extraction(path: values, type: items),
                    Extraction(path: try #require(FieldPath("values.*.name")), type: .array(.string)),
                ], types: types),
        ]
    }

    /// Items of about so many bytes, of which some have a key more, behind a text that moves them.
    private static func document(padding: Int, itemBytes: Int) -> [UInt8] {
        let text = String(repeating: "x", count: max(itemBytes - 70, 0))
        let items = (0..<(30_000 / itemBytes)).map { number in
            let more = number % 16 == 5 ? #","more":7"# : ""
            let name = "item \(number)\(text)"
            return #"{"id":\#(number),"name":"\#(name)","ripe":\#(number % 2 == 0),"weight":0.5\#(more)}"#
        }
        let padding = String(repeating: "p", count: padding)
        return Array(#"{"padding":"\#(padding)","values":[\#(items.joined(separator: ","))],"end":{"a":[1]}}"#.utf8)
    }

    /// Objects that are cut at each of their bytes; and some as long as what is read twice at most, and longer.
    @Test(arguments: [(70, 1), (300, 17), (1020, 61), (1100, 61), (7000, 997)])
    func objectsAreCutAnywhere(itemBytes: Int, step: Int) throws {
        for plan in try Self.plans() {
            let extractor = Extractor(plan)
            for padding in stride(from: 0, to: itemBytes + 8, by: step) {
                let document = Self.document(padding: padding, itemBytes: itemBytes)
                let run = Run(plan, document, reusing: extractor)
                #expect(run.faults.isEmpty && !run.slices[0].isEmpty)
                #expect(run == Run.byteByByte(plan, document), "padding \(padding)")
            }
        }
    }

    /// One byte is another where the first window ends.
    @Test(arguments: Array("\"{}[]:,0x\\".utf8) + [0x01, 0xC3, 0xFF])
    func faultsWhereItEnds(byte: UInt8) throws {
        let plan = try #require(try Self.plans().first)
        let extractor = Extractor(plan)
        for place in (Self.windowBytes - 90)..<(Self.windowBytes + 90) {
            var document = Self.document(padding: 3, itemBytes: 70)
            document[place] = byte
            let run = Run(plan, document, reusing: extractor)
            #expect(run == Run.byteByByte(plan, document), "at \(place)")
        }
    }
}
