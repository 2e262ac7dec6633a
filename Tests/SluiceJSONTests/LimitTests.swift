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

    @Test func defaultsAreThoseOfTheConfiguration() {
        let limits = Limits()
        #expect(
            JSONLimits()
                == JSONLimits(
                    depth: limits.jsonDepth, stringBytes: limits.jsonStringBytes, keys: limits.jsonKeys,
                    documentBytes: limits.jsonBytes))
    }
}
