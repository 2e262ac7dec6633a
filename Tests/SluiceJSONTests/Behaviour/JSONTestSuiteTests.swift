import Foundation
import SluiceContract
import SluiceJSON
import Testing

/// JSONTestSuite, each case skipped over and looked at, whole and cut at every place.
@Suite struct JSONTestSuiteTests {
    static let folder = Bundle.module.url(forResource: "Fixtures/JSONTestSuite", withExtension: nil)

    static let cases: [String] = {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return []
        }
        return names.sorted()
    }()

    /// What RFC 8259 leaves open, one by one. Numbers of any size are JSON (§6): only a type limits them. Text that is
    /// not UTF-8 is refused (§8.1), a byte order mark too, and surrogates that are not a pair (§8.2).
    static let open: [String: Bool] = [
        "i_number_double_huge_neg_exp.json": true,
        "i_number_huge_exp.json": true,
        "i_number_neg_int_huge_exp.json": true,
        "i_number_pos_double_huge_exp.json": true,
        "i_number_real_neg_overflow.json": true,
        "i_number_real_pos_overflow.json": true,
        "i_number_real_underflow.json": true,
        "i_number_too_big_neg_int.json": true,
        "i_number_too_big_pos_int.json": true,
        "i_number_very_big_negative_int.json": true,
        "i_object_key_lone_2nd_surrogate.json": false,
        "i_string_1st_surrogate_but_2nd_missing.json": false,
        "i_string_1st_valid_surrogate_2nd_invalid.json": false,
        "i_string_UTF-16LE_with_BOM.json": false,
        "i_string_UTF-8_invalid_sequence.json": false,
        "i_string_UTF8_surrogate_U+D800.json": false,
        "i_string_incomplete_surrogate_and_escape_valid.json": false,
        "i_string_incomplete_surrogate_pair.json": false,
        "i_string_incomplete_surrogates_escape_valid.json": false,
        "i_string_invalid_lonely_surrogate.json": false,
        "i_string_invalid_surrogate.json": false,
        "i_string_invalid_utf-8.json": false,
        "i_string_inverted_surrogates_U+1D11E.json": false,
        "i_string_iso_latin_1.json": false,
        "i_string_lone_second_surrogate.json": false,
        "i_string_lone_utf8_continuation_byte.json": false,
        "i_string_not_in_unicode_range.json": false,
        "i_string_overlong_sequence_2_bytes.json": false,
        "i_string_overlong_sequence_6_bytes.json": false,
        "i_string_overlong_sequence_6_bytes_null.json": false,
        "i_string_truncated-utf-8.json": false,
        "i_string_utf16BE_no_BOM.json": false,
        "i_string_utf16LE_no_BOM.json": false,
        // Beyond the default depth of 128.
        "i_structure_500_nested_arrays.json": false,
        "i_structure_UTF-8_BOM_empty_object.json": false,
    ]

    /// A type that looks at every value and takes any, so that all goes through frames.
    static let looking: TypeExpression = .named("Any")
    static let types = [
        TypeDefinition(
            name: "Any",
            type: .union([
                .scalar(.string), .scalar(.decimal), .scalar(.bool), .null, .array(.named("Any")),
                .dictionary(.named("Any")),
            ]))
    ]

    static func document(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: try #require(folder).appendingPathComponent(name)))
    }

    @Test func isComplete() {
        #expect(Self.cases.count == 318)
        #expect(Set(Self.cases.filter { $0.hasPrefix("i_") }) == Set(Self.open.keys))
    }

    @Test(arguments: cases)
    func verdict(_ name: String) throws {
        let document = try Self.document(name)
        let isAccepted = name.hasPrefix("y_") || Self.open[name] == true
        for type in [nil, Self.looking] {
            let plan = try Plan([Extraction(type: type)], types: Self.types)
            let run = Run(plan, document)
            #expect(run.isSyntax == !isAccepted, "\(run)")
            if isAccepted {
                let text = String(decoding: document, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(run.slices == [text])
                #expect(run.faults.isEmpty)
            }
            #expect(Run.deviations(plan, document) == [])
        }
    }
}
