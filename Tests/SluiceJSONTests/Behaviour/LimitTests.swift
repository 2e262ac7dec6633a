import SluiceContract
import SluiceJSON
import Testing

/// Every limit holds to the byte, in parts that are looked at and in parts that are not.
@Suite struct LimitTests {
    static let limits = JSONLimits(depth: 4, stringBytes: 8, keys: 3, documentBytes: 60)

    @Test(
        arguments: [
            ("[[[[1]]]]", nil), ("[[[[[1]]]]]", "at most 4 levels of nesting"),
            (#"{"a":{"a":{"a":{}}}}"#, nil), (#"{"a":{"a":{"a":{"a":{}}}}}"#, "at most 4 levels of nesting"),
            (#""12345678""#, nil), (#""123456789""#, "strings and numbers of at most 8 bytes"),
            (#""1234567\n""#, "strings and numbers of at most 8 bytes"),
            ("[12345678]", nil), ("[123456789]", "strings and numbers of at most 8 bytes"),
            ("12345678", nil), ("123456789", "strings and numbers of at most 8 bytes"),
            ("[-1.5e+10]", nil), ("[-1.5e+100]", "strings and numbers of at most 8 bytes"),
            (#"{"12345678":0}"#, nil), (#"{"123456789":0}"#, "strings and numbers of at most 8 bytes"),
            (#"{"a":0,"b":0,"c":0}"#, nil), (#"{"a":0,"b":0,"c":0,"d":0}"#, "objects of at most 3 keys"),
            ("[                                                         1 ]", "a document of at most 60 bytes"),
            ("[                                                        1 ]", nil),
        ] as [(String, String?)])
    func limit(_ document: String, _ expected: String?) throws {
        let any = [Extraction(type: JSONTestSuiteTests.looking)]
        for plan in [
            try Plan(any, types: JSONTestSuiteTests.types, limits: Self.limits), try Plan("", limits: Self.limits),
        ] {
            let run = Run(plan, document)
            #expect(run.faults.map(\.expected) == (expected.map { [$0] } ?? []), "\(run)")
            #expect(Run.deviations(plan, Array(document.utf8)) == [])
        }
    }

    /// Where the chunk is long enough to be gone through from place to place.
    @Test(
        arguments: [
            ("[[[1]]]", nil), ("[[[[1]]]]", "at most 4 levels of nesting"), ("[[[[]]]]", "at most 4 levels of nesting"),
            (#"{"a":{"a":{"a":1}}}"#, nil), (#"{"a":{"a":{"a":{}}}}"#, "at most 4 levels of nesting"),
            (#"{"a":0,"b":"","c":null}"#, nil), (#"{"a":0,"b":"","c":null,"d":""}"#, "objects of at most 3 keys"),
            (#"{"a":"","b":"","c":"","d":""}"#, "objects of at most 3 keys"),
        ] as [(String, String?)])
    func limitFromPlaceToPlace(_ element: String, _ expected: String?) throws {
        let limits = JSONLimits(depth: 4, stringBytes: 1 << 20, keys: 3, documentBytes: 1 << 20)
        let rest = Array(repeating: #"{"a":1,"b":"x","c":[2]}"#, count: 40).joined(separator: ",")
        let document = "[\(rest),\(element),\(rest)]"
        let any = [Extraction(type: JSONTestSuiteTests.looking)]
        let first = [Extraction(path: FieldPath(components: [.index(0)]))]
        let types = JSONTestSuiteTests.types
        for extractions in [any, first, []] {
            let plan = try Plan(extractions, types: types, limits: limits)
            #expect(Run(plan, document).faults.map(\.expected) == (expected.map { [$0] } ?? []))
            #expect(Run.deviations(plan, Array(document.utf8)) == [])
        }
    }

    @Test func defaultsAreThoseOfTheConfiguration() {
        let limits = Limits()
        #expect(
            JSONLimits()
                == JSONLimits(
                    depth: limits.jsonDepth, stringBytes: limits.jsonStringBytes, keys: limits.jsonKeys,
                    documentBytes: limits.jsonBytes))
    }
}
