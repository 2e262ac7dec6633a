import SluiceContract
import Testing

@testable import SluiceGateway

/// A gateway with two stored bindings and an admin socket.
struct AdminBench {
    let bench: Bench
    static let owner = PeerCredentials(user: 1000, group: 1000)

    /// - Parameter edit: changes `GET /fruits`.
    init(_ edit: (inout Binding) throws -> Void = { _ in }) throws {
        let fruits = try Build.binding("GET /fruits", to: "fruit /fruits") {
            $0.cache = CachePolicy()
            $0.cache?.tags = ["fruit", "food"]
            $0.parameters = [try Build.parameter("limit", "Int", default: "10")]
            try edit(&$0)
        }
        let trees = try Build.binding("GET /trees/{id}", to: "fruit /trees/{id}") {
            $0.parameters = [try Build.parameter("id", "Int", in: .path)]
            $0.cache = CachePolicy()
            $0.cache?.tags = ["tree"]
        }
        let plain = try Build.binding("ANY /plain", to: "fruit /plain")
        let post = try Build.binding("POST /fruits", to: "fruit /fruits") { $0.cache = CachePolicy() }
        bench = try Bench(Build.configuration([fruits, trees, plain, post]))
    }

    /// One of somebody's own.
    init(of bench: Bench) {
        self.bench = bench
    }

    static func answer(_ body: String, _ fields: String...) -> String {
        "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "Content-Length: \(body.utf8.count)\r\n\r\n"
            + body
    }

    /// A new answer is stored for `target`.
    func fill(_ target: String, _ body: String = "apple", _ fields: String...) throws {
        let lines = (fields.isEmpty ? ["Cache-Control: max-age=60"] : fields).map { $0 + "\r\n" }.joined()
        try bench.get(
            target, answer: "HTTP/1.1 200 OK\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// What the admin socket answers.
    func ask(
        _ target: String, by method: String = "GET", as credentials: PeerCredentials? = owner, fields: [String] = []
    ) throws -> Message {
        let client = bench.client(credentials: credentials, admin: AdminAccess(owner: 1000))
        let lines = fields.map { $0 + "\r\n" }.joined()
        client.request("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)\r\n")
        defer { client.reset() }
        return try #require(client.answers.first, "no answer to \(target)")
    }

    /// `Cache-Status` of a request for `target` that is answered out of the store, or by an origin that says `pear`.
    func status(_ target: String) throws -> String {
        try bench.get(target, answer: Self.answer("pear", "Cache-Control: max-age=60"))["Cache-Status"] ?? ""
    }

    var fetches: Int { bench.origins.reduce(0) { $0 + $1.requests.count } }
}
