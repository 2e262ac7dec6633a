import SluiceContract
import SluiceJSON
import Testing

/// Arrays of objects in a few shapes and of strings are gone over where they stand, as values of members. Made-up ones,
/// whole and with something odd in them, get the verdicts and the bytes that they get byte by byte.
@Suite struct WholeArrayTests {
    private static let person = TypeDefinition(
        name: "Person",
        type: .fields(
            .init("id", .optional(.string)), .init("mail", .optional(.string)), .init("age", .optional(.int)),
            .init("home", .optional(.fields(.init("row", .int))))))
    private static let entry = TypeDefinition(
        name: "Entry",
        type: .fields(
            .init("name", .string), .init("people", .array(.named("Person"))), .init("labels", .array(.string)),
            .init("needs", .optional(.array(.fields(.init("name", .string), .init("least", .int))))),
            .init("sizes", .optional(.array(.scalar(.double)))), .init("grid", .optional(.array(.array(.int))))))
    private static let renamed = TypeDefinition(
        name: "Person",
        type: .fields(.init("person", .optional(.string), from: "id"), .init("age", .optional(.int))))
    private static let renamedInside = TypeDefinition(
        name: "Person",
        type: .fields(
            .init("id", .optional(.string)), .init("home", .optional(.fields(.init("street", .int, from: "row"))))))

    static func plans() throws -> [Plan] {
        let entries = try #require(FieldPath("entries"))
        let type = TypeExpression.dictionary(.named("Entry"))
        let types = [person, entry]
        func limits(depth: Int) -> JSONLimits {
            JSONLimits(depth: depth, stringBytes: 1 << 20, keys: 1000, documentBytes: 1 << 20)
        }
        return [
            try Plan([Extraction(path: entries, type: type)], types: types),
            try Plan([Extraction(path: entries, type: type)], types: types, limits: limits(depth: 5)),
            try Plan([Extraction(path: entries, type: type)], types: types, limits: limits(depth: 4)),
            try Plan([Extraction(path: entries)], types: [], limits: limits(depth: 3)),
            try Plan([Extraction(path: entries, type: type, unknown: .drop)], types: types),
            try Plan([Extraction(path: entries, type: type, unknown: .reject)], types: types),
            try Plan([Extraction(path: entries, type: type)], types: [renamed, entry]),
            try Plan([Extraction(path: entries, type: type)], types: [renamedInside, entry]),
            try Plan([Extraction(path: try #require(FieldPath("entries.*.people")))], types: []),
            try Plan([Extraction(path: try #require(FieldPath("entries.e1.people.0.id")))], types: []),
        ]
    }

    /// Shapes of people: what differs has another size, mostly.
    private static let shapes = [
        [#""id":"a","mail":"a@b","age":7"#, #""id":"some,one","mail":"x@y{}","age":12345"#],
        [#""id":"b","age":3"#, #""mail":"b","age":30"#],
        [#""id":"c""#, #""mail":"c""#, #""age":9"#],
        [#""id":"d","home":{"row":1}"#, #""home":{"row":22},"id":"d""#],
        ["", #""more":"of it","age":4"#, #""id":"e","mail":"e","more":{"a":[1,"x"]},"age":null"#],
    ]
    private static let odd = [
        #""id":7"#, #""id":"a","id":"b""#, #""age":"7""#, #""age":07,"id":"x""#, #""id":"\n","mail":"\u00e9","age":1"#,
        #""id":"a","mail":"a@b","age":7.5"#, #""id":"a" ,"mail": "a@b","age":7 "#, #""id":"b","age":3,"#, #""id""#,
        #""home":{"row":"1"},"id":"d""#, #""id":"a","mail":"a@b","age":9223372036854775808"#,
    ]
    private static let labels = [
        #"[]"#, #"["a"]"#, #"["a","b, c","[d]"]"#, #"["x\t","y"]"#, #"["z" ]"#, #"[ "a" , "b"]"#, #"["a","b",7]"#,
        #"["a""b"]"#, #"["a",]"#, #"[["a"]]"#, #"["a"}"#, #"[7]"#, #"[null,"a"]"#,
    ]

    private static let sizes = [
        "[]", "[1]", "[1.5,-2,0]", "[ 7 , 8 ]", "[-0.25,1e3]", "[43.420273000000009,-65.613616999999977,0.1\n]",
        "[01]", "[1.]", "[1 2]", "[1,]", "[-]", "[-.5]", "[1,\"a\"]", "[1,null]", "[.5]", "[1.2.3]", "[1}", "[1:2]",
    ]
    private static let grids = [
        "[]", "[[]]", "[[1,2],[3],[]]", "[[-1, 20],[300\t]]", "[[123456789012345678]]", "[[0],[10,0,-7]]",
        "[[1.5]]", "[[1,2],[00]]", "[[1],2]", "[[1],[[2]]]", "[[1][2]]", "[[12345678901234567890]]", "[[1],[-]]",
    ]

    /// - Parameter isRight: whether nothing odd is in it.
    static func document(_ random: inout Seeded, isRight: Bool) -> [UInt8] {
        func pick<T>(_ all: [T], _ count: Int? = nil) -> T {
            all[Int.random(in: 0..<(count ?? all.count), using: &random)]
        }
        let count = pick([3, 12, 12, 150])
        let place = isRight ? -1 : Int.random(in: 0..<count, using: &random)
        var entries: [String] = []
        for number in 0..<count {
            var people = (0..<pick([0, 1, 1, 1, 2, 3, 40])).map { _ in pick(pick(shapes)) }
            let isOdd = number == place && pick([true, false])
            if isOdd { people.insert(pick(odd), at: Int.random(in: 0...people.count, using: &random)) }
            let joined = people.map { "{\($0)}" }.joined(separator: pick([",", ",", ",", ", "]))
            var members = [#""name":"n\#(number)""#, #""people":[\#(joined)]"#]
            members.append(#""labels":"# + pick(labels, number == place && !isOdd ? nil : 6))
            let isOddNumber = number == place && !isOdd
            if pick([true, false]) { members.append(#""sizes":"# + pick(sizes, isOddNumber ? nil : 6)) }
            if pick([true, false]) { members.append(#""grid":"# + pick(grids, isOddNumber ? nil : 6)) }
            if pick([true, false]) { members.append(#""needs":[{"name":"n","least":\#(number)}]"#) }
            if pick([true, false, false]) {
                members.insert(#""tags":["s",["t"]],"more":{"u":[]}"#, at: pick([0, 1, 2]))
            }
            entries.append("\"e\(number)\":{\(members.joined(separator: ","))}")
        }
        return Array("{\"entries\":{\(entries.joined(separator: ","))}}".utf8)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func asByteByByte(_ seed: UInt64) throws {
        var random = Seeded(state: seed)
        for plan in try Self.plans() {
            let extractor = Extractor(plan)
            for round in 0..<4 {
                let document = Self.document(&random, isRight: round == 0)
                let short = Run.byteByByte(plan, document)
                // The second time by what was learnt.
                _ = Run(plan, document, reusing: extractor)
                #expect(Run(plan, document) == short, "seed \(seed), round \(round)")
                #expect(Run(plan, document, reusing: extractor) == short, "seed \(seed), round \(round)")
                let cuts = random.cuts(of: document.count)
                #expect(Run(plan, document, cuts: cuts, reusing: extractor) == short, "seed \(seed), round \(round)")
            }
        }
    }

    @Test func rightOnesAreTaken() throws {
        var random = Seeded(state: 1)
        let document = Self.document(&random, isRight: true)
        #expect(try Run(Self.plans()[0], document).faults.isEmpty)
    }
}
