import SluiceContract
import Testing

@testable import SluiceConsole

@Suite struct ConsoleGateTests {
    private static let key = "the-key"

    private static func gate() -> ConsoleGate {
        ConsoleGate(port: 4000, link: "the-link", key: key, files: ["console.html", "console.js", "a.css", "api.js"])
    }

    private static func request(
        _ method: String, _ path: String, host: String = "127.0.0.1:4000", origin: String? = nil, site: String? = nil,
        authorization: String? = "Bearer the-key"
    ) -> ConsoleRequest {
        ConsoleRequest(
            method: method, path: path, hosts: [host], origins: origin.map { [$0] } ?? [],
            fetchSites: site.map { [$0] } ?? [], authorizations: authorization.map { [$0] } ?? [])
    }

    private static func refusal(_ request: ConsoleRequest) -> Problem.Kind? {
        do throws(Problem) {
            _ = try gate().judge(request)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(
        arguments: [
            ("GET", "/", .sendFile("console.html")), ("HEAD", "/console.js", .sendFile("console.js")),
            ("GET", "/a.css", .sendFile("a.css")),
            ("GET", "/api.js", .sendFile("api.js")), ("POST", "/session", .openSession),
            ("GET", "/api/bindings", .ask("/bindings")), ("GET", "/api/metrics", .ask("/metrics")),
            ("DELETE", "/api/cache", .ask("/cache")), ("GET", "/api/cache/explain", .ask("/cache/explain")),
            ("GET", "/api/exchanges/12", .ask("/exchanges/12")), ("GET", "/api/requests", .ask("/requests")),
            ("POST", "/api/credentials/refresh", .ask("/credentials/refresh")),
            ("POST", "/api/credentials/a%20b/login", .beginSignIn("a%20b")),
            ("POST", "/api/credentials/x/login/wait", .awaitSignIn("x")),
            ("POST", "/api/credentials/x/logout", .ask("/credentials/x/logout")),
            ("POST", "/api/reload", .ask("/reload")), ("POST", "/api/try", .tryOut),
        ] as [(String, String, ConsoleAction)])
    func whatIsOnTheListIsDone(_ method: String, _ path: String, _ action: ConsoleAction) throws {
        #expect(try Self.gate().judge(Self.request(method, path)) == action)
    }

    /// A code is no page's matter, and what is not on the list is not passed on.
    @Test(arguments: [
        "/api", "/api/", "/api/healthz", "/api/credentials/x/login/code", "/api/exchanges/", "/api/exchanges/1/2",
        "/api/exchanges/..", "/api//bindings", "/api/bindings/", "/api/../bindings", "/apix", "/console.html/",
        "/../etc/passwd", "/secret.js", "/session/", "/api/credentials//login",
    ])
    func whatIsNotOnTheListIsNowhere(_ path: String) {
        #expect(Self.refusal(Self.request("GET", path)) == .unknownRoute)
    }

    @Test(arguments: [
        ("POST", "/"), ("GET", "/session"), ("POST", "/api/bindings"), ("GET", "/api/reload"), ("PUT", "/api/cache"),
        ("GET", "/api/try"), ("GET", "/api/credentials/x/login"),
    ])
    func othersMethodsAreRefused(_ method: String, _ path: String) {
        #expect(Self.refusal(Self.request(method, path)) == .methodNotAllowed)
    }

    /// DNS rebinding: a page elsewhere has its name point here.
    @Test(arguments: [
        ("127.0.0.1:4000", true), ("localhost:4000", true), ("LOCALHOST:4000", true), ("localhost", false),
        ("127.0.0.1", false), ("127.0.0.1:4001", false), ("evil.example:4000", false), ("[::1]:4000", false),
        ("127.0.0.1:4000.evil.example", false), ("", false),
    ])
    func onlyThisMachineIsServed(_ host: String, _ isServed: Bool) {
        for path in ["/", "/api/bindings"] {
            #expect(Self.refusal(Self.request("GET", path, host: host)) == (isServed ? nil : .hostNotServed))
        }
    }

    @Test func severalHostsAreNone() {
        var request = Self.request("GET", "/")
        request.hosts = ["127.0.0.1:4000", "127.0.0.1:4000"]
        #expect(Self.refusal(request) == .hostNotServed)
        request.hosts = []
        #expect(Self.refusal(request) == .hostNotServed)
    }

    @Test(
        arguments: [
            (nil, nil, true), ("http://127.0.0.1:4000", "same-origin", true), (nil, "none", true),
            ("http://evil.example", nil, false), ("null", nil, false), ("http://localhost:4000", nil, false),
            ("https://127.0.0.1:4000", nil, false), ("http://127.0.0.1:4001", nil, false), (nil, "cross-site", false),
            (nil, "same-site", false), ("http://127.0.0.1:4000", "cross-site", false), (nil, "", false),
        ] as [(String?, String?, Bool)])
    func onlyTheOwnPageIsServed(_ origin: String?, _ site: String?, _ isServed: Bool) {
        let asked = [("GET", "/api/bindings"), ("POST", "/session"), ("POST", "/api/try"), ("DELETE", "/api/cache")]
        for (method, path) in asked {
            let refusal = Self.refusal(Self.request(method, path, origin: origin, site: site))
            #expect(refusal == (isServed ? nil : .crossOrigin), "\(method) \(path)")
        }
    }

    /// A link in a mail or a chat leads to the page, which says that it has no session.
    @Test func filesAreForEverybodyHere() {
        let request = Self.request("GET", "/", site: "cross-site", authorization: nil)
        #expect(Self.refusal(request) == nil)
    }

    @Test(
        arguments: [
            (nil, false), ("", false), ("the-key", false), ("Bearer", false), ("Bearer ", false),
            ("Bearer the-kez", false), ("Bearer the-key2", false), ("bearer the-key", false),
            ("Basic the-key", false), ("Bearer the-link", false), ("Bearer the-key", true),
        ] as [(String?, Bool)])
    func allElseNeedsTheKey(_ authorization: String?, _ isServed: Bool) {
        let paths = ["/api/bindings", "/api/nothing", "/api/credentials", "/api/requests"]
        for path in paths where isServed == false || path != "/api/nothing" {
            let refusal = Self.refusal(Self.request("GET", path, authorization: authorization))
            #expect(refusal == (isServed ? nil : .unauthenticated), "\(path)")
        }
        var twice = Self.request("GET", "/api/bindings")
        twice.authorizations.append("Bearer the-key")
        #expect(Self.refusal(twice) == .unauthenticated)
    }

    @Test func aLinkIsGoodOnce() throws {
        var gate = Self.gate()
        for wrong in ["", "the-lin", "the-link2", "The-link", "the-key"] {
            #expect(throws: Problem.self) { try gate.redeem(wrong) }
        }
        #expect(try gate.redeem("the-link") == Self.key)
        #expect(throws: Problem.self) { try gate.redeem("the-link") }
    }
}
