import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Which of several routes a request gets.
@Suite struct RouteTrieTests {
    /// Bindings of the table below, in an order that helps nobody.
    static let keys = [
        "ANY /**", "GET /a/**", "GET /a/{id}", "GET /a/{id}/b", "GET /a/fixed", "POST /a/{id}", "GET /a/{id}.json",
        "GET /a/v{major}.{minor}", "GET /a/fixed/{x}/end", "GET /a/{y}/deep/end", "ANY /any", "GET|PUT /two", "GET /",
        "BREW /pot", "GET /t/", "GET /a/{id}/c/**", "HEAD /own", "GET /own",
    ]

    static func find(_ method: String, _ path: String, in keys: [String] = keys) throws -> (String?, RouteTrie.Match) {
        var trie = RouteTrie()
        for (index, key) in keys.enumerated() {
            let binding = try Build.binding(key, to: "fruit /")
            trie.insert(binding.path, methods: binding.methods, route: index, parameters: [])
        }
        var match = RouteTrie.Match()
        let name = Array(method.utf8)
        let text = Array(path.utf8)
        name.withUnsafeBytes { name in
            text.withUnsafeBytes { trie.find($0, method: Method(name), methodName: name, into: &match) }
        }
        return (match.route.map { keys[$0] }, match)
    }

    @Test(
        arguments: [
            // Text before pattern before placeholder before the rest.
            ("GET", "/a/fixed", "GET /a/fixed"), ("GET", "/a/7", "GET /a/{id}"), ("GET", "/a/7/b", "GET /a/{id}/b"),
            ("GET", "/a/7.json", "GET /a/{id}.json"), ("GET", "/a/v1.2", "GET /a/v{major}.{minor}"),
            ("GET", "/a/v1", "GET /a/{id}"), ("GET", "/a/7/x/y", "GET /a/**"),
            ("GET", "/a/7/c/x/y", "GET /a/{id}/c/**"),
            ("GET", "/other", "ANY /**"),
            // Back from a text that leads nowhere to the placeholder beside it, and from there to the rest.
            ("GET", "/a/fixed/deep/end", "GET /a/fixed/{x}/end"), ("GET", "/a/fixed/b", "GET /a/{id}/b"),
            ("GET", "/a/other/deep/end", "GET /a/{y}/deep/end"), ("GET", "/a/fixed/z/other", "GET /a/**"),
            // Only a route that takes the method counts.
            ("POST", "/a/fixed", "POST /a/{id}"), ("POST", "/a/7/b", "ANY /**"), ("PUT", "/two", "GET|PUT /two"),
            ("DELETE", "/two", "ANY /**"), ("BREW", "/pot", "BREW /pot"), ("LOCK", "/pot", "ANY /**"),
            ("LOCK", "/any", "ANY /any"), ("STEW", "/any", nil), ("lock", "/any", nil), ("PRI", "/any", nil),
            // A GET binding serves HEAD (RFC 9110 §9.3.2), unless HEAD has its own.
            ("HEAD", "/a/fixed", "GET /a/fixed"), ("HEAD", "/own", "HEAD /own"), ("GET", "/own", "GET /own"),
            // The root, empty segments, the slash at the end.
            ("GET", "/", "GET /"), ("POST", "/", "ANY /**"), ("GET", "/t/", "GET /t/"), ("GET", "/t", "ANY /**"),
            ("GET", "/a/", "GET /a/{id}"), ("GET", "//", "ANY /**"), ("GET", "/a//b", "GET /a/{id}/b"),
        ] as [(String, String, String?)])
    func finds(method: String, path: String, key: String?) throws {
        #expect(try Self.find(method, path).0 == key)
    }

    @Test(
        arguments: [
            ("/a/7", ["7"], nil), ("/a/7%2F8", ["7%2F8"], nil), ("/a/v1.2", ["1", "2"], nil), ("/a/x.json", ["x"], nil),
            ("/a/7/c/x/y", ["7"], "x/y"), ("/a/7/c/", ["7"], ""), ("/rest/of/it", [], "rest/of/it"),
            ("/a/fixed/b", ["fixed"], nil), ("/a/v1.2.3", ["1", "2.3"], nil),
        ] as [(String, [String], String?)])
    func captures(path: String, values: [String], rest: String?) throws {
        let match = try Self.find("GET", path).1
        let bytes = Array(path.utf8)
        #expect(match.captures.map { String(decoding: bytes[$0], as: UTF8.self) } == values)
        #expect(match.rest.map { String(decoding: bytes[$0], as: UTF8.self) } == rest)
    }

    @Test func thePathIsKnownWhereOnlyTheMethodIsWrong() throws {
        let known = try Self.find("DELETE", "/a/7", in: ["GET /a/{id}", "POST /a/{id}"]).1
        #expect(known.route == nil)
        #expect(known.isPathKnown)
        let unknown = try Self.find("DELETE", "/b", in: ["GET /a/{id}", "POST /a/{id}"]).1
        #expect(!unknown.isPathKnown)
    }

    /// Every method has its own place, in each of several nodes; what none has taken is nobody's.
    @Test func methodsOfOnePathAreKeptApart() throws {
        let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
        for (path, target) in [("/a", "/a"), ("/b/{x}", "/b/7"), ("/c/**", "/c/7/8")] {
            let keys = ["GET|PUT|PATCH /before"] + methods.map { "\($0) \(path)" } + ["POST|DELETE /behind"]
            for method in methods { #expect(try Self.find(method, target, in: keys).0 == "\(method) \(path)") }
            for left in methods where left != "HEAD" {
                let without = keys.filter { $0 != "\(left) \(path)" }
                #expect(try Self.find(left, target, in: without).0 == nil, "\(left)")
            }
        }
    }

    /// RFC 9110 §15.5.6: a 405 has an Allow field.
    @Test func methodsThatArePossibleAreListed() throws {
        let bench = try Bench(
            Build.configuration(try ["GET /a", "PUT /a", "DELETE /{x}"].map { try Build.binding($0, to: "fruit /") }))
        let answer = try bench.exchange("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        #expect(answer.status == 405)
        let allowed = Set((answer["Allow"] ?? "").split(separator: ", ").map(String.init)).subtracting(["OPTIONS"])
        #expect(allowed == ["GET", "HEAD", "PUT", "DELETE"])
        #expect(try bench.get("/b/c").status == 404)
    }
}
