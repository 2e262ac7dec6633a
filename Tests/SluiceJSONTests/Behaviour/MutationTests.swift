import SluiceContract
import SluiceJSON
import Testing

/// Documents with a few bytes changed, lost or doubled: whole, where the engine goes from place to place, they get the
/// verdict that they get byte by byte.
@Suite struct MutationTests {
    static let types =
        fruitTypes + [
            TypeDefinition(
                name: "Page",
                type: .fields(
                    .init("values", .array(.named("Fruit"))), .init("links", .dictionary(.scalar(.url))),
                    .init("parent", .optional(.named("Page"))), .init("total", .union([.int, .null])),
                    .init("notes", .array(.union([.string, .array(.scalar(.double))])), default: "[]")))
        ]

    static let pages = [
        #"""
        {"values": [
            {"name": "fig \u00e9\n", "size": 3, "color": "green", "ripe": false, "picked": "2024-02-29T10:00:00Z"},
            {"name": "plum", "size": -12, "color": "red", "extra": {"a": [1, 2.5e3, {}], "b": "\\\"x\ud83c\udf4e"}},
            {"size": 9223372036854775807, "color": "yellow", "name": "", "picked": null}
        ],
        "links": {"self": "https:\/\/fruit.example/v1?page=1", "next": "https://é/v1?page=2", "é": "urn:x"},
        "total": null, "meta": {"took": 0.25, "shards": [[], [[]], {"ok": true}], "node": "fig-01"},
        "parent": {"values": [], "links": {}, "total": 0, "parent": null, "notes": ["a", [1e5, -0.0, 12], "b"]},
        "etag": "αβγδεζηθικλμνξοπρστυφχψω 漢字かな交じり文 🍎🍐🍊🍋", "last": [true, false, null, -1, "…"]}
        """#,
        #"{"values":[{"name":"fig","size":1,"color":"red"},{"name":"pear","size":22,"color":"green"},"#
            + #"{"name":"plum","size":333,"color":"yellow","ripe":true}],"links":{"a":"b:c"},"total":3,"#
            + #""x":[{"y":{"z":[]}}]}"#,
    ]

    static func plans() throws -> [Plan] {
        func path(_ text: String) throws -> FieldPath { try #require(FieldPath(text)) }
        return [
            try Plan([Extraction(type: .named("Page"))], types: types),
            try Plan([Extraction(type: .named("Page"), unknown: .drop)], types: types),
            try Plan([Extraction(path: path("nothing"))], types: []),
            try Plan(
                [
                    Extraction(path: path("values"), type: .array(.named("Fruit")), unknown: .reject),
                    Extraction(path: path("values.*.name"), type: .array(.string)),
                    Extraction(path: path("values.2.color")), Extraction(path: path("links")),
                    Extraction(path: path("meta.shards.1")),
                ], types: types),
            try Plan([Extraction(type: JSONTestSuiteTests.looking)], types: JSONTestSuiteTests.types),
        ]
    }

    @Test(arguments: pages)
    func pageIsAsDeclared(_ page: String) throws {
        for plan in try Self.plans() where plan.extractions.count == 1 {
            let run = Run(plan, page)
            #expect(run.faults == [])
            #expect(Run.deviations(plan, Array(page.utf8)) == [])
        }
    }

    @Test(arguments: 0..<8)
    func mutations(_ seed: UInt64) throws {
        var random = Seeded(state: seed)
        let plans = try Self.plans()
        let extractors = plans.map { Extractor($0) }
        for round in 0..<400 {
            let page = Array(Self.pages[round % 2].utf8)
            let document = random.mutated(page)
            let number = Int.random(in: 0..<plans.count, using: &random)
            let whole = Run(plans[number], document, reusing: extractors[number])
            let split = Run(plans[number], document, cuts: Array(1..<max(document.count, 1)))
            #expect(whole == split, "\(String(decoding: document, as: UTF8.self))")
            let some = random.cuts(of: document.count)
            #expect(whole == Run(plans[number], document, cuts: some), "\(String(decoding: document, as: UTF8.self))")
        }
    }
}

extension Seeded {
    /// A document with one to three changes.
    mutating func mutated(_ document: [UInt8]) -> [UInt8] {
        var document = document
        let telling = Array("\"\\{}[]:,0-.eu \n\u{1}é".utf8) + [0xC3, 0xF0, 0x80, 0x0C, 0x1A]
        for _ in 0..<Int.random(in: 1...3, using: &self) where document.count > 8 {
            let place = Int.random(in: 0..<document.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: document[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: document[place] = telling[Int.random(in: 0..<telling.count, using: &self)]
            case 2: document.insert(telling[Int.random(in: 0..<telling.count, using: &self)], at: place)
            case 3: document.remove(at: place)
            case 4:
                let length = min(Int.random(in: 1...40, using: &self), document.count - place)
                document.insert(contentsOf: document[place..<place + length], at: place)
            default: document.removeLast(min(Int.random(in: 0...60, using: &self), document.count / 2))
            }
        }
        return document
    }
}
