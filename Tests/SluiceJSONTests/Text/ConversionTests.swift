import SluiceContract
import Testing

@testable import SluiceJSON

/// `A -> B`: what an answer brings goes out as something else, and a request goes the way back.
@Suite struct ConversionTests {
    @Test(
        arguments: [
            (.date(.seconds), .date(.iso8601), "0", #""1970-01-01T00:00:00Z""#),
            (.date(.seconds), .date(.iso8601), "1714564800", #""2024-05-01T12:00:00Z""#),
            (.date(.seconds), .date(.iso8601), "-0.5", #""1969-12-31T23:59:59.500Z""#),
            (.date(.seconds), .date(.iso8601), "1.7145648e9", #""2024-05-01T12:00:00Z""#),
            (.date(.milliseconds), .date(.iso8601), "951782399999", #""2000-02-28T23:59:59.999Z""#),
            (.date(.seconds), .date(.iso8601), "253402300799", #""9999-12-31T23:59:59Z""#),
            (.date(.seconds), .date(.iso8601), "253402300800", nil), (.date(.seconds), .date(.iso8601), "1e300", nil),
            (.date(.seconds), .date(.iso8601), #""0""#, nil), (.quoted(.int), .int, #""42""#, "42"),
            (.quoted(.int), .int, #""4\u0032""#, "42"), (.quoted(.int), .int, "42", nil),
            (.quoted(.int), .int, #""4.2""#, nil),
            (.quoted(.decimal), .decimal, #""1.50""#, "1.50"), (.int, .string, "7", #""7""#),
            (.int, .string, "7.5", nil),
            (.double, .quoted(.double), "1e3", #""1e3""#),
            (.date(.iso8601), .date(.seconds), #""2024-05-01T14:00:00+02:00""#, "1714564800"),
            (.date(.iso8601), .date(.seconds), #""1969-12-31T23:59:59.5Z""#, "-0.500"),
            (.date(.iso8601), .date(.milliseconds), #""2024-05-01""#, "1714521600000"),
        ] as [(Scalar, Scalar, String, String?)])
    func converts(_ from: Scalar, _ to: Scalar, _ document: String, _ slice: String?) throws {
        let type = TypeExpression.converted(from, to)
        let plan = try Plan("", type)
        let run = Run(plan, document)
        #expect(run.faults.isEmpty == (slice != nil))
        if let slice { #expect(run.slices == [slice]) }
        #expect(Run.deviations(plan, Array(document.utf8)) == [])
    }

    /// The way back gives what came, where nothing was lost.
    @Test(
        arguments: [
            (.quoted(.int), .int, #""42""#, "42"),
            (.date(.seconds), .date(.iso8601), "1714564800", #""2024-05-01T12:00:00Z""#),
            (.date(.milliseconds), .date(.iso8601), "-1", #""1969-12-31T23:59:59.999Z""#),
            (.int, .string, "7", #""7""#),
            (.quoted(.decimal), .decimal, #""1.50""#, "1.50"),
        ] as [(Scalar, Scalar, String, String)])
    func requestsGoBack(_ from: Scalar, _ to: Scalar, _ upstream: String, _ local: String) throws {
        let fields = TypeExpression.fields(
            .init("a", .optional(.converted(from, to)), from: "b"), .init("c", .converted(from, to), default: local),
            unknown: .drop)
        let answer = try Plan("", fields)
        let request = try Plan("", fields, direction: .toUpstream)
        for cut in 0...10 {
            let incoming = Array(#"{"x":1,"b":\#(upstream),"c":\#(upstream)}"#.utf8)
            let outgoing = Array(#"{"a":\#(local),"y":2}"#.utf8)
            #expect(Run(answer, incoming, cuts: [cut]).slices == [#"{"a":\#(local),"c":\#(local)}"#])
            #expect(Run(request, outgoing, cuts: [cut]).slices == [#"{"b":\#(upstream),"c":\#(upstream)}"#])
        }
        #expect(Run(request, #"{"a":null}"#).slices == [#"{"b":null,"c":\#(upstream)}"#])
    }

    /// Many of them, at the full speed of the walk around them; other slices see what came.
    @Test(arguments: Kernel.all) func kernels(_ kernel: Kernel) throws {
        let row = TypeExpression.fields(
            .init("id", .converted(.quoted(.int), .int)), .init("name", .string),
            .init("at", .union([.converted(.date(.seconds), .date(.iso8601)), .null, .array(.int)])))
        let plan = try Plan(
            [
                Extraction(type: .array(row)),
                Extraction(type: .array(.fields(.init("id", .string), .init("name", .string)))),
            ], types: [])
        let rows = (0..<200).map { number in
            (
                #"{"id":"\#(number)","name":"n","at":\#(["0", "null", "[1, 2]"][number % 3])}"#,
                #"{"id":\#(number),"name":"n","at":\#([#""1970-01-01T00:00:00Z""#, "null", "[1, 2]"][number % 3])}"#
            )
        }
        let document = "[\(rows.map(\.0).joined(separator: ", "))]"
        let extractor = kernel.extractor(plan)
        let expected = ["[\(rows.map(\.1).joined(separator: ", "))]", document]
        var random = Seeded(state: 5)
        for _ in 0..<6 {
            let run = Run(plan, Array(document.utf8), cuts: random.cuts(of: document.utf8.count), reusing: extractor)
            #expect(run.faults == [])
            #expect(run.slices == expected)
        }
    }
}
