import CPeers
import Foundation
import SluiceContract
import SluiceJSON

/// All documents of the table.
enum Workloads {
    /// - Parameters:
    ///   - folder: where twitter.json and the others are.
    ///   - isWanted: says of their names.
    static func all(in folder: URL, where isWanted: (String) -> Bool) throws -> [Workload] {
        func read(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: folder.appendingPathComponent(name + ".json")))
        }
        let makers: [(String, () throws -> Workload)] = [
            ("fruits 9 KB", { fruits("fruits 9 KB", count: 120) }),
            ("fruits 9.5 MB", { fruits("fruits 9.5 MB", count: 120_000) }),
            ("twitter", { twitter(try read("twitter")) }), ("citm_catalog", { citm(try read("citm_catalog")) }),
            ("github_events", { github(try read("github_events")) }),
            ("update-center", { center(try read("update-center")) }),
            ("apache_builds", { builds(try read("apache_builds")) }), ("canada", { canada(try read("canada")) }),
            ("embeddings", embeddings), ("counts", counts),
        ]
        let declarers = parts.map { name, part in
            (name + ", all of it", { declared(name + ", all of it", try read(name), part) })
        }
        return try (makers + declarers + unions).filter { isWanted($0.0) }.map { try $0.1() }
    }

    private struct Fruits: Decodable {
        struct Fruit: Decodable {
            var name: String
            var size: Int
            var color: Color
            var ripe: Bool
        }
        enum Color: String, Decodable { case red, green, yellow }
        var values: [Fruit]
    }

    private static func fruits(_ name: String, count: Int) -> Workload {
        let colors = ["red", "green", "yellow"]
        let fruits = (0..<count).map { number in
            let ripe = number % 3 == 0
            return #"{"id":\#(number),"name":"fruit \#(number * 7919 % 1000)","size":\#(number % 97),"#
                + #""color":"\#(colors[number % 3])","ripe":\#(ripe)}"#
        }
        let document = Array("{\"count\":\(count),\"values\":[\(fruits.joined(separator: ","))]}".utf8)
        let fruit = TypeDefinition(
            name: "Fruit",
            type: .fields(
                ("name", .string), ("size", .int), ("color", .literals(["red", "green", "yellow"])), ("ripe", .bool)))
        return Workload(
            name, document, path: "values", .array(.named("Fruit")), types: [fruit],
            decode: { _ = try JSONDecoder().decode(Fruits.self, from: $0) },
            onDemand: { Int(peers_ondemand_fruits($0, $1)) })
    }

    private struct Twitter: Decodable {
        struct Status: Decodable {
            struct User: Decodable {
                var id: Int
                var name: String
                var screen_name: String
                var followers_count: Int
                var verified: Bool
            }
            var created_at: String
            var id: Int
            var text: String
            var user: User
            var retweet_count: Int
            var favorite_count: Int
        }
        var statuses: [Status]
    }

    private static func twitter(_ document: [UInt8]) -> Workload {
        let user = TypeExpression.fields(
            ("id", .int), ("name", .string), ("screen_name", .string), ("followers_count", .int), ("verified", .bool))
        let status = TypeExpression.fields(
            ("created_at", .string), ("id", .int), ("text", .string), ("user", user), ("retweet_count", .int),
            ("favorite_count", .int))
        return Workload(
            "twitter", document, path: "statuses", .array(status),
            decode: { _ = try JSONDecoder().decode(Twitter.self, from: $0) },
            onDemand: { Int(peers_ondemand_twitter($0, $1)) })
    }

    private struct Catalog: Decodable {
        struct Performance: Decodable {
            struct Price: Decodable {
                var amount: Int
                var audienceSubCategoryId: Int
                var seatCategoryId: Int
            }
            struct Category: Decodable {
                struct Area: Decodable { var areaId: Int }
                var areas: [Area]
                var seatCategoryId: Int
            }
            var eventId: Int
            var id: Int
            var prices: [Price]
            var seatCategories: [Category]
            var start: Int
            var venueCode: String
        }
        var performances: [Performance]
    }

    private static func citm(_ document: [UInt8]) -> Workload {
        let price = TypeExpression.fields(
            ("amount", .int), ("audienceSubCategoryId", .int), ("seatCategoryId", .int))
        let category = TypeExpression.fields(
            ("areas", .array(.fields(("areaId", .int)))), ("seatCategoryId", .int))
        let performance = TypeExpression.fields(
            ("eventId", .int), ("id", .int), ("prices", .array(price)), ("seatCategories", .array(category)),
            ("start", .int), ("venueCode", .string))
        return Workload(
            "citm_catalog", document, path: "performances", .array(performance),
            decode: { _ = try JSONDecoder().decode(Catalog.self, from: $0) },
            onDemand: { Int(peers_ondemand_citm($0, $1)) })
    }

    private struct Event: Decodable {
        struct Actor: Decodable {
            var login: String
            var id: Int
        }
        struct Repository: Decodable {
            var id: Int
            var name: String
        }
        var type: String
        var created_at: Date
        var actor: Actor
        var repo: Repository
        var `public`: Bool
        var id: String
    }

    private static func github(_ document: [UInt8]) -> Workload {
        let event = TypeExpression.fields(
            ("type", .string), ("created_at", .date), ("actor", .fields(("login", .string), ("id", .int))),
            ("repo", .fields(("id", .int), ("name", .string))), ("public", .bool), ("id", .string))
        return Workload(
            "github_events", document, path: "", .array(event),
            decode: { data in
                let decoder = JSONDecoder()
                decoder.dateDecodingStrategy = .iso8601
                _ = try decoder.decode([Event].self, from: data)
            }, onDemand: { Int(peers_ondemand_github($0, $1)) })
    }

    private struct Center: Decodable {
        struct Plugin: Decodable {
            struct Dependency: Decodable {
                var name: String
                var optional: Bool
                var version: String
            }
            struct Developer: Decodable { var developerId: String? }
            var buildDate: String
            var dependencies: [Dependency]
            var developers: [Developer]
            var name: String
            var sha1: String
            var url: URL
            var version: String
        }
        var plugins: [String: Plugin]
    }

    private static func center(_ document: [UInt8]) -> Workload {
        let dependency = TypeExpression.fields(("name", .string), ("optional", .bool), ("version", .string))
        let plugin = TypeExpression.fields(
            ("buildDate", .string), ("dependencies", .array(dependency)),
            ("developers", .array(.fields(("developerId", .optional(.string))))), ("name", .string),
            ("sha1", .string), ("url", .url), ("version", .string))
        return Workload(
            "update-center", document, path: "plugins", .dictionary(plugin),
            decode: { _ = try JSONDecoder().decode(Center.self, from: $0) },
            onDemand: { Int(peers_ondemand_center($0, $1)) })
    }
}
