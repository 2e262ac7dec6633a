import CSIMD
import SluiceContract
import SluiceJSON
import Testing

/// Faults with others behind them: the first one is told of, where it is and what it is, wherever chunks end and
/// whatever the bytes behind look like, which nobody has looked at yet.
extension VectorsTests {
    private static let noUTF8 = [UInt8](repeating: 0xFF, count: 40)

    /// Members with a fault. The keys of some of them have not been seen before.
    static let faulty: [[UInt8]] = [
        Array("\"c\":\"re\u{1}d\"".utf8),
        Array("\"c\":\"r".utf8) + noUTF8 + Array("\"".utf8),
        Array("\"dE\":\"h\u{1}".utf8) + [UInt8](repeating: 0, count: 7) + Array("\"".utf8),
        Array("\"new\" :\"".utf8) + [0xE2, 0x82] + Array("\"".utf8),
        noUTF8,
        Array("\"b\":\"one\"".utf8),
        Array("\"x\":1,\"b\":1".utf8),
    ]

    private static let rows = [#"{"b":1,"c":"red","y":true}"#, #"{"b":12,"c":"green","short":[1,{}],"r":{"b":2}}"#]

    /// An array of objects that are alike, of which two have a fault.
    private static func document(_ row: String, _ first: [UInt8], _ second: [UInt8], apart: Int) -> [UInt8] {
        var document = Array("{\"n\":1,\"a\":[".utf8)
        for number in 0..<6 {
            if number > 0 { document.append(UInt8(ascii: ",")) }
            document += row.utf8.dropLast()
            if number == 3 { document += Array(",".utf8) + first }
            if number == 3 + apart { document += Array(",".utf8) + second }
            document.append(UInt8(ascii: "}"))
        }
        return document + Array("]}".utf8)
    }

    private static func plans() throws -> [Plan] {
        let path = try #require(FieldPath("a"))
        let plain = TypeDefinition(
            name: "Row",
            type: .fields(
                .init("b", .int), .init("c", .string), .init("short", .optional(.scalar(.json))),
                .init("r", .optional(.named("Row")))))
        let renamed = TypeDefinition(
            name: "Row",
            type: .fields(
                .init("longer than b", .optional(.int), from: "b"), .init("c", .optional(.string)),
                .init("s", .optional(.scalar(.json)), from: "short"),
                .init("r", .optional(.named("Row")), default: "null")))
        let rows = TypeExpression.array(.named("Row"))
        return [
            try Plan([Extraction(path: path, type: rows)], types: [plain]),
            try Plan([Extraction(path: path, type: rows, unknown: .drop)], types: [renamed]),
            try Plan(
                [Extraction(path: path, type: rows), Extraction(path: path, type: rows, unknown: .reject)],
                types: [plain]),
        ]
    }

    @Test(arguments: faulty.indices, rows.indices)
    func faultsBehindFaults(_ first: Int, _ row: Int) throws {
        let plans = try Self.plans()
        for second in Self.faulty.indices {
            let plan = plans[(first + second + row) % plans.count]
            let document = Self.document(Self.rows[row], Self.faulty[first], Self.faulty[second], apart: second % 2)
            let expected = Run(plan, document, cuts: Array(0..<document.count))
            #expect(!expected.faults.isEmpty)
            for kernel in Kernel.all {
                let extractor = kernel.extractor(plan)
                for cut in 0...document.count {
                    // With what the last ones have taught, and with nothing.
                    let isNew = (cut + second) % 2 == 0
                    let run = Run(plan, document, cuts: [cut], reusing: isNew ? kernel.extractor(plan) : extractor)
                    #expect(run == expected, "\(kernel.testDescription) cut at \(cut): faults \(first) and \(second)")
                }
            }
        }
    }

    /// What was found by fuzzing: 31 bytes behind a key that nothing was known of, and behind the window, stood a byte
    /// that no key has, and by that alone the key was held to be known.
    @Test func byteOfNoKeyBehindTheWindow() throws {
        let head = #"{"n":1,"a":[{"b":1,"y": true},{"b":1 ,"c": "red" ,"y" :true ,"dE": "h"#
        var document = Array("\(head)\u{1}0000000b\"},{\"b\" :1,".utf8)
        document += Self.noUTF8 + Array(repeating: UInt8(ascii: " "), count: 200)
        let plan = try Self.plans()[1]
        let expected = Run(plan, document, cuts: Array(0..<document.count))
        #expect(expected.faults.map(\.name) == ["$.a[1].dE"])
        for first in 0..<80 {
            for second in stride(from: 1, to: document.count - first, by: 3) {
                let run = Run(plan, document, cuts: [first, first + second])
                #expect(run == expected, "cut at \(first) and \(first + second)")
            }
        }
    }
}
