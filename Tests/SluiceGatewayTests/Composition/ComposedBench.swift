import SluiceContract
import Testing

@testable import SluiceGateway

/// A gateway with bindings that others are made of, and one origin that answers by target.
final class ComposedBench {
    let bench: Bench
    /// Bodies by target; a text that begins with a status is that of an error: `404 gone`.
    var answers: [String: String] = [:]
    /// Fields of all answers.
    var fields = ""
    /// Fields of the answers to some targets.
    var ownFields: [String: String] = [:]
    /// Targets in the order in which they were asked.
    private(set) var asked: [String] = []
    private var seen: [ObjectIdentifier: Int] = [:]

    init(_ configuration: Configuration, credentials: [String: String] = [:]) throws {
        bench = try Bench(configuration, tokens: credentials)
    }

    /// - Parameter edit: changes the bindings of a profile: its user, posts, badges and weather.
    convenience init(
        _ parts: KeyValuePairs<String, String>, value: String, key: String = "GET /profile/{id}",
        _ edit: (inout [Binding]) throws -> Void = { _ in }
    ) throws {
        var bindings = try Self.bindings()
        bindings.append(try Self.composed(key, parts, value: value))
        try edit(&bindings)
        try self.init(Build.configuration(bindings, types: Self.types()) { $0.hosts = .any })
    }

    static func types() throws -> [TypeDefinition] {
        [
            TypeDefinition(name: "Post", type: .object(try Build.object(["title": "String"]))),
            TypeDefinition(
                name: "Badge",
                type: .object(
                    ObjectType(
                        fields: [
                            ObjectType.Field(name: "code", from: "badge_code", type: .scalar(.string)),
                            ObjectType.Field(name: "since", type: .converted(.date(.seconds), .date(.iso8601))),
                        ], unknown: .drop))),
        ]
    }

    static func bindings() throws -> [Binding] {
        let user = ObjectType(fields: [
            ObjectType.Field(name: "id", type: .scalar(.int)), ObjectType.Field(name: "name", type: .scalar(.string)),
            ObjectType.Field(name: "city", type: .scalar(.string)),
            ObjectType.Field(name: "badges", type: .array(.scalar(.string))),
        ])
        return [
            try Build.binding("GET /users/{id}", to: "fruit /users/{id}") {
                $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                $0.value = .object(user)
            },
            try Build.binding("GET /posts", to: "fruit /posts", value: "[Post]") {
                $0.parameters = [try Build.parameter("author", "Int"), try Build.parameter("limit", "Int?")]
            },
            try Build.binding("GET /badges/{badge}", to: "fruit /badges/{badge}", value: "Badge") {
                $0.parameters = [try Build.parameter("badge", "String", in: .path)]
            },
            try Build.binding("GET /weather/{city}", to: "fruit /weather/{city}", value: "Int") {
                $0.parameters = [try Build.parameter("city", "String", in: .path)]
            },
            try Build.binding("POST /orders", to: "fruit /orders", value: "Int") { $0.body = .json(.scalar(.json)) },
            try Build.binding("POST /invoices", to: "fruit /invoices", value: "Int") {
                $0.parameters = [try Build.parameter("order", "Int")]
            },
        ]
    }

    static func composed(
        _ key: String, _ parts: KeyValuePairs<String, String>, value: String,
        _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Binding {
        let path = String(key.split(separator: " ")[1])
        return try Build.binding(key, to: "\(Composition.upstreamName) \(path)") {
            $0.value = .object(try object(value))
            $0.parameters = try $0.path.placeholders.map { try Build.parameter($0, "Int", in: .path) }
            $0.composition = Composition(try parts.map { try part($0.key, $0.value) })
            var timeout = UpstreamTimeouts()
            timeout.firstByte = timeout.total
            $0.timeout = timeout
            try edit(&$0)
        }
    }

    /// `{name: String from user.name, weather: Int?}`.
    private static func object(_ text: String) throws -> ObjectType {
        let fields = try text.dropFirst().dropLast().split(separator: ", ").map { field in
            let words = field.split(separator: " ").map(String.init)
            let name = String(words[0].dropLast())
            var read = ObjectType.Field(name: name, type: try Build.type(words[1]))
            if words.count == 4 { read.source = .path(try FieldPath.read(words[3])) }
            return read
        }
        return ObjectType(fields: fields, unknown: .drop)
    }

    /// `GET /badges/{badge} each user.badges as badge at-once 2 optional body request`.
    static func part(_ name: String, _ text: String) throws -> Composition.Part {
        let words = text.split(separator: " ").map(String.init)
        var part = try Composition.Part(name, reading: words[0] + " " + words[1])
        var rest = words[2...]
        while let word = rest.popFirst() {
            switch word {
            case "each": part.each = try Composition.Reference(reading: rest.removeFirst())
            case "as": part.alias = rest.removeFirst()
            case "at-once": part.atOnce = Int(rest.removeFirst()) ?? 0
            case "body": part.body = try Composition.Reference(reading: rest.removeFirst())
            default: part.isOptional = true
            }
        }
        return part
    }

    /// Requests that no origin has answered yet, by target.
    var open: [(target: String, origin: OriginPeer)] {
        bench.origins.compactMap { origin in
            guard !origin.isClosed, origin.requests.count > seen[ObjectIdentifier(origin)] ?? 0,
                let last = origin.requests.last, last.isComplete
            else { return nil }
            return (last.target, origin)
        }
    }

    /// Answers what is open now.
    /// - Returns: whether there was anything.
    @discardableResult func answerOnce(_ isMeant: (String) -> Bool = { _ in true }) -> Bool {
        let now = open.filter { isMeant($0.target) }
        for (_, origin) in now { answerOne(origin) }
        return !now.isEmpty
    }

    /// Answers the last request on a connection.
    func answerOne(_ origin: OriginPeer) {
        guard let target = origin.requests.last?.target else { return }
        seen[ObjectIdentifier(origin)] = origin.requests.count
        asked.append(target)
        let known = answers[target] ?? "404 unknown"
        let isError = Int(known.prefix(3)).map { $0 >= 400 } == true && known.dropFirst(3).first == " "
        let body = isError ? String(known.dropFirst(4)) : known
        origin.send(
            "HTTP/1.1 \(isError ? String(known.prefix(3)) : "200") X\r\n\(fields)\(ownFields[target] ?? "")"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    func answerAll() { while answerOnce() {} }

    /// One request of a new client, answered to its end.
    func get(_ target: String = "/profile/7", _ fields: String...) throws -> Message {
        let client = bench.client()
        client.request("GET \(target) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        answerAll()
        defer { client.reset() }
        return try #require(client.answers.first)
    }

    static let user = #"{"id":7,"name":"Ada","city":"Bonn","badges":["a","b","c"]}"#

    func know(badges: [String] = ["a", "b", "c"]) {
        let list = badges.map { "\"\($0)\"" }.joined(separator: ",")
        answers["/v1/users/7"] = #"{"id":7,"name":"Ada","city":"Bonn","badges":[\#(list)]}"#
        answers["/v1/posts?author=7&limit=20"] = #"[{"title":"one"}]"#
        for badge in badges { answers["/v1/badges/\(badge)"] = #"{"badge_code":"\#(badge)","since":0,"x":1}"# }
        answers["/v1/weather/Bonn"] = "21"
        answers["/v1/orders"] = "5"
        answers["/v1/invoices?order=5"] = "6"
    }
}
