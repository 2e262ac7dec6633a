import SluiceContract
import Testing

@testable import SluiceJSON

/// Random tables against a reading of RFC 4180 that looks at all of the text at once.
@Suite struct RowOracleTests {
    @Test(arguments: 0..<400)
    func tablesAreReadAsByTheGrammar(_ seed: UInt64) throws {
        var chance = Seeded(state: seed)
        let letters = Array("ab,\"\"\n\n\r".utf8) + [0x09, 0xC3]
        let text = (0..<Int.random(in: 0..<60, using: &chance)).map { _ in letters.randomElement(using: &chance)! }
        let plan = try RowReaderTests.plan(.csv(.init(columns: ["x", "y"])), .scalar(.json))
        let expected = PlainTable.records(text)
        for cuts in [[], Array(text.indices.dropFirst()), [text.count / 2]] {
            let run = RowRun(plan, text, cuts: cuts)
            guard let expected else {
                #expect(run.fault != nil, "\(String(decoding: text, as: UTF8.self).debugDescription)")
                continue
            }
            let until = expected.firstIndex { $0.count != 2 }
            let rows = expected[..<(until ?? expected.count)].map { record in
                "{\"x\":\(PlainTable.string(record[0])),\"y\":\(PlainTable.string(record[1]))}"
            }
            #expect((run.fault != nil) == (until != nil))
            #expect(run.rows == rows, "\(String(decoding: text, as: UTF8.self).debugDescription)")
        }
    }
}

/// The plainest reading of CSV.
enum PlainTable {
    /// - Returns: nil where the text is no table.
    static func records(_ text: [UInt8]) -> [[[UInt8]]]? {
        var records: [[[UInt8]]] = []
        var rest = text[...]
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: "\n") {
                rest = rest.dropFirst()
                continue
            }
            if rest.starts(with: [0x0D, 0x0A]) {
                rest = rest.dropFirst(2)
                continue
            }
            var record: [[UInt8]] = []
            while true {
                guard let field = field(&rest) else { return nil }
                record.append(field)
                guard rest.first == UInt8(ascii: ",") else { break }
                rest = rest.dropFirst()
            }
            records.append(record)
            if rest.starts(with: [0x0D, 0x0A]) {
                rest = rest.dropFirst(2)
            } else if rest.first == 0x0A {
                rest = rest.dropFirst()
            } else if !rest.isEmpty {
                return nil
            }
        }
        return records
    }

    private static func field(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.first == UInt8(ascii: "\"") else {
            let field = rest.prefix { ![0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            rest = rest[field.endIndex...]
            return Array(field)
        }
        var field: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.first {
            rest = rest.dropFirst()
            if byte != UInt8(ascii: "\"") {
                field.append(byte)
            } else if rest.first == UInt8(ascii: "\"") {
                field.append(byte)
                rest = rest.dropFirst()
            } else {
                return field
            }
        }
        return nil
    }

    /// A JSON string of bytes that need not be UTF-8.
    static func string(_ text: [UInt8]) -> String {
        let escapes: [UInt8: String] = [0x22: "\\\"", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"]
        return "\"" + text.map { escapes[$0] ?? String(decoding: [$0], as: UTF8.self) }.joined() + "\""
    }
}
