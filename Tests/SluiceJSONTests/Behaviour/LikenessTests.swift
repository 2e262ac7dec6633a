import SluiceContract
import SluiceJSON
import Testing

/// Objects of an array that are like the one before are taken at a look. Whatever one of them has instead gets the
/// verdict that it gets byte by byte.
@Suite struct LikenessTests {
    static let item = TypeDefinition(
        name: "Item",
        type: .fields(
            .init("id", .int), .init("name", .string), .init("weight", .scalar(.double)), .init("ripe", .bool),
            .init("color", .literals(["red", "green", "yellow"])), .init("picked", .scalar(.date(.iso8601))),
            .init("tags", .optional(.array(.string))),
            .init("place", .optional(.fields(.init("row", .int), .init("free", .bool))))))

    private static let scalars = [
        #""id":7"#, #""name":"fig""#, #""weight":0.25"#, #""ripe":true"#, #""color":"green""#,
        #""picked":"2024-02-27T10:00:00Z""#,
    ]
    /// Items, by their members in order; each within the size that is remembered.
    static let items = [
        scalars + [#""tags":["local","tree-1"]"#, #""place":{"row":12,"free":false}"#, #""extra":17"#],
        scalars + [#""more":{"a":[1.5,"x"],"b":null}"#, #""none":[]"#],
    ]

    /// What stands in the place of one member's value.
    static let values = [
        "0", "-0", "00", "07", "-", "-7", "+7", "7 ", " 7", "7\n", "7.", ".7", "7.5", "-7.5", "0.0", "00.5", "1.2.3",
        "1e3", "1E-2", "7x", "x7", "999999999999999999", "9223372036854775807", "9223372036854775808",
        "12345678901234567890123456789012345", "0.1234567890123456789012345678901234567", "true", "false",
        "null", "tru", "truee", "True", "nul", "nulll", "falsey", "fals", #""""#, #""red""#, #""reds""#, #""green ""#,
        #""x\n""#,
        #""\u00e9""#, #""é""#, "\"\u{1}\"", #""2024-02-27T25:00:00Z""#, #""2024-02-29T10:00:00+01:00""#, "[]", "{}",
        "[1]", #"["local"]"#, #"["local",7]"#, #"["a","b","c"]"#, #"["a""b"]"#, #"{"row":12}"#,
        #"{"free":true,"row":1}"#, #"{"row":"12","free":false}"#, #"{"row":12,"free":false,"row":12}"#,
        #"{"row":12,"free":false,}"#, #"{"row":12"free":false}"#, "", ",", "]", "}",
    ]

    static func document(_ members: [String], _ odd: [String], at place: Int, of count: Int = 30) -> [UInt8] {
        let items = (0..<count).map { number in
            "{" + (number == place ? odd : members).joined(separator: ",") + "}"
        }
        return Array("{\"count\":\(count),\"values\":[\(items.joined(separator: ","))]}".utf8)
    }

    static func plans() throws -> [Plan] {
        let values = try #require(FieldPath("values"))
        let items = TypeExpression.array(.named("Item"))
        let shallow = JSONLimits(depth: 4, stringBytes: 1 << 20, keys: 1000, documentBytes: 1 << 20)
        return [
            try Plan([Extraction(path: values, type: items)], types: [item]),
            try Plan([Extraction(path: values, type: items)], types: [item], limits: shallow),
            try Plan([Extraction(path: values, type: .array(.dictionary(.scalar(.json))))], types: []),
            try Plan([Extraction(path: values, type: items, unknown: .reject)], types: [item]),
            try Plan([Extraction(path: values)], types: []),
        ]
    }

    /// Within a depth of 4 or not, and whether undeclared keys are refused or not.
    @Test(arguments: zip(items.indices, [[true, true, true, false, true], [true, false, true, false, true]]))
    func allAlike(_ item: Int, _ isRight: [Bool]) throws {
        let document = Self.document(Self.items[item], Self.items[item], at: 0)
        #expect(try Self.plans().map { Run($0, document).faults.isEmpty } == isRight)
    }

    @Test(arguments: items)
    func oneValueDiffers(_ members: [String]) throws {
        let comparison = try Comparison(members)
        for member in members.indices {
            let key = members[member].prefix { $0 != ":" }
            for value in Self.values {
                var odd = members
                odd[member] = "\(key):\(value)"
                comparison.compare(odd)
            }
        }
    }

    @Test(arguments: items)
    func oneMemberDiffers(_ members: [String]) throws {
        let comparison = try Comparison(members)
        let changes = [
            ("\":", "s\":"), ("\":", "\" :"), ("\":", "\": "), ("\":", "\","), ("\":", "\\n\":"), ("\"", ""),
        ]
        for member in members.indices {
            var missing = members
            missing.remove(at: member)
            comparison.compare(missing)
            comparison.compare(members + [members[member]])
            comparison.compare([members[member]] + missing)
            for (from, to) in changes {
                var renamed = members
                let range = try #require(renamed[member].firstRange(of: from))
                renamed[member].replaceSubrange(range, with: to)
                comparison.compare(renamed)
            }
        }
    }

    /// A fault that all objects of one document have is found again in the next.
    @Test(arguments: [
        #""id":7,"id":7"#, #""place":{"row":1,"row":1,"free":false}"#, #""place":{"free":false}"#,
        #""place":{"row":1}"#, #""place":{"row":1.5,"free":false}"#, #""id":"7""#,
    ])
    func faultsAreNotLearnt(_ faulty: String) throws {
        let rest = Self.scalars.filter { !faulty.hasPrefix("\"id") || !$0.hasPrefix("\"id") } + [faulty]
        let document = Self.document(rest, rest, at: 0)
        for plan in try Self.plans() {
            let extractor = Extractor(plan)
            let first = Run(plan, document, reusing: extractor)
            for _ in 0..<3 { #expect(Run(plan, document, reusing: extractor) == first) }
        }
    }

    private struct Comparison {
        let members: [String]
        let plans: [Plan]
        let extractors: [Extractor]

        init(_ members: [String]) throws {
            self.members = members
            plans = try LikenessTests.plans()
            extractors = plans.map { Extractor($0) }
        }

        /// The first object is odd, or one that comes when others have been seen, or the last one. In chunks this short
        /// everything goes byte by byte.
        func compare(_ odd: [String]) {
            for place in [0, 3, 5] {
                let document = LikenessTests.document(members, odd, at: place, of: 6)
                for (plan, extractor) in zip(plans, extractors) {
                    let whole = Run(plan, document, reusing: extractor)
                    let split = Run(plan, document, cuts: Array(stride(from: 40, to: document.count, by: 40)))
                    #expect(whole == split, "\(odd) at \(place)")
                }
            }
        }
    }
}
