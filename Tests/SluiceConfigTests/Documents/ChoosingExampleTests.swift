import SluiceContract
import SluiceJSON
import Testing

@testable import SluiceConfig

/// The tables of docs/CONFIGURATION.md that say what a value becomes.
@Suite struct ChoosingExampleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var binding: String
        var document: String
        var value: String

        var testDescription: String { "\(binding) of \(document)" }
    }

    static func rows(_ heading: String) throws -> [Row] {
        let page = try ExampleTests.text("docs/CONFIGURATION.md")
        let table = try #require(page.components(separatedBy: heading).last)
        return table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.components(separatedBy: " | ").map {
                $0.split(separator: "`", omittingEmptySubsequences: false).dropFirst().dropLast().joined(separator: "`")
            }
            return Row(binding: cells[0], document: cells[1], value: cells[2])
        }
    }

    static let chosen: String = "| The binding says | The upstream answers | The client gets |\n"

    @Test func outputsAreAsWritten() throws {
        let rows = try Self.rows(Self.chosen)
        #expect(rows.count > 8)
        for row in rows {
            let configuration = fruit("GET /a: {to: fruit /a, \(row.binding)}").configuration()
            let binding = try #require(configuration.bindings.first, "\(row)")
            let plan = try Plan(
                [Extraction(path: binding.valuePath, type: binding.value, unknown: binding.unknownKeys)],
                types: configuration.types)
            #expect(Self.output(plan, row.document) == row.value, "\(row)")
        }
    }

    /// Absent and null, for each way to write a field.
    @Test func absentAndNull() throws {
        let page = try ExampleTests.text("docs/CONFIGURATION.md")
        let table = try #require(page.components(separatedBy: "| Field | absent | null |\n").last)
        let lines = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
        #expect(lines.count == 5)
        for line in lines {
            // A `|` inside of a cell is escaped.
            let cells = line.replacing("\\|", with: "¦").split(separator: "|").map {
                String($0).replacing("¦", with: "|").split(separator: " ").joined(separator: " ")
            }
            let field = cells[0].dropFirst().dropLast()
            let configuration = fruit("GET /a: {to: fruit /a, value: {\(field)}}").configuration()
            let binding = try #require(configuration.bindings.first)
            let plan = try Plan([Extraction(type: binding.value)], types: [])
            #expect((Self.output(plan, "{}") != "a problem") == (cells[1] != "a problem"), "\(line)")
            #expect((Self.output(plan, #"{"name":null}"#) != "a problem") == (cells[2] != "a problem"), "\(line)")
        }
    }

    private static func output(_ plan: Plan, _ document: String) -> String {
        let extractor = Extractor(plan)
        var found: [UInt8] = []
        Array(document.utf8).withUnsafeBytes { extractor.feed($0) }
        extractor.finish()
        for piece in extractor.pieces { found += UnsafeRawBufferPointer(start: piece.base, count: piece.count) }
        return extractor.isFailed ? "a problem" : String(decoding: found, as: UTF8.self)
    }
}
