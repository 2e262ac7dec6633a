import Foundation
import SluiceContract
import SluiceJSON
import Testing

/// Pieces of real answers: as they are, with a bit flipped, and cut short.
@Suite struct DocumentTests {
    struct Sample: CustomStringConvertible, Sendable {
        var name: String
        var path: String
        var type: TypeExpression
        var description: String { name }

        var document: [UInt8] {
            get throws {
                let url = Bundle.module.url(forResource: "Fixtures/Documents/\(name)", withExtension: "json")
                return Array(try Data(contentsOf: try #require(url)))
            }
        }

        /// Checked by type, every key and value looked at, and nothing looked at.
        var plans: [Plan] {
            get throws {
                [
                    try Plan(path, type), try Plan(path, type, unknown: .drop),
                    try Plan([Extraction(type: JSONTestSuiteTests.looking)], types: JSONTestSuiteTests.types),
                    try Plan(path.isEmpty ? "99.nothing" : "nothing.99"),
                ]
            }
        }
    }

    static let string = TypeExpression.string
    static let samples = [
        Sample(
            name: "twitter", path: "statuses",
            type: .array(
                .fields(
                    .init("created_at", string), .init("id", .int), .init("text", string),
                    .init(
                        "user",
                        .fields(
                            .init("id", .int), .init("name", string), .init("followers_count", .scalar(.uint32)),
                            .init("profile_image_url", .scalar(.url)), .init("verified", .bool))),
                    .init("geo", .optional(string)), .init("favorite_count", .scalar(.double))))),
        Sample(
            name: "citm_catalog", path: "performances",
            type: .array(
                .fields(
                    .init("eventId", .int), .init("id", .int), .init("name", .union([string, .null])),
                    .init(
                        "prices",
                        .array(.fields(.init("amount", .scalar(.int32)), .init("seatCategoryId", .scalar(.uint64))))),
                    .init("seatCategories", .array(.fields(.init("areas", .array(.fields(.init("areaId", .int))))))),
                    .init("venueCode", .literals(["PLEYEL_PLEYEL", "OTHER"]))))),
        Sample(
            name: "github_events", path: "",
            type: .array(
                .fields(
                    .init("type", string), .init("created_at", .scalar(.date(.iso8601))),
                    .init("actor", .fields(.init("login", string), .init("url", .scalar(.url)))),
                    .init("public", .bool), .init("id", string)))),
        Sample(
            name: "update-center", path: "plugins",
            type: .dictionary(
                .fields(
                    .init(
                        "dependencies",
                        .array(.fields(.init("name", string), .init("optional", .bool), .init("version", string)))),
                    .init("developers", .array(.dictionary(string))), .init("sha1", .scalar(.data)),
                    .init("releaseTimestamp", .scalar(.date(.iso8601))), .init("url", .scalar(.url))))),
    ]

    @Test(arguments: samples)
    func asItIs(_ sample: Sample) throws {
        let document = try sample.document
        for plan in try sample.plans {
            let run = Run(plan, document)
            #expect(run.faults == [])
            #expect(Run.deviations(plan, document) == [])
        }
    }

    /// Foundation's parser is the judge of what is still JSON.
    @Test(arguments: samples, 0..<4)
    func damaged(_ sample: Sample, _ seed: UInt64) throws {
        var random = Seeded(state: seed)
        let whole = try sample.document
        let plans = try sample.plans
        let extractors = plans.map { Extractor($0) }
        for round in 0..<40 {
            var document = whole
            if round % 4 == 3 {
                document.removeLast(Int.random(in: 1..<whole.count, using: &random))
            } else {
                let place = Int.random(in: 0..<whole.count, using: &random)
                document[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            let number = round / 4 % plans.count
            let run = Run(plans[number], document, reusing: extractors[number])
            #expect(run == Run(plans[number], document, cuts: random.cuts(of: document.count)), "round \(round)")
            if round % 8 == 0 {
                #expect(run == Run(plans[number], document, cuts: Array(1..<document.count)), "round \(round)")
            }
            #expect(run.isSyntax == !Self.isJSON(document), "round \(round): \(run)")
        }
    }

    static func isJSON(_ document: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(document))) != nil
    }
}
