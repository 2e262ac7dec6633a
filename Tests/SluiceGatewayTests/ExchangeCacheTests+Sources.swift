import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers that are made of more than one response: redirects that are followed, pages, parts. What each of them says
/// of being stored holds for the whole (RFC 9111 §3, §4.1, §4.2, §4.4).
extension ExchangeCacheTests {
    private func redirecting(_ edit: (inout Binding) -> Void = { _ in }) throws -> Bench {
        let get = try Build.binding("GET /fruits", to: "fruit /fruits") {
            $0.cache = CachePolicy()
            $0.follow = .sameOrigin
            edit(&$0)
        }
        return try Bench(Build.configuration([get, try Build.binding("ANY /raw/**", to: "fruit /**")]))
    }

    private func redirect(_ status: Int, _ fields: String...) -> String {
        "HTTP/1.1 \(status) X\r\nLocation: /v1/end\r\n" + fields.map { $0 + "\r\n" }.joined()
            + "Content-Length: 0\r\n\r\n"
    }

    private func follow(_ bench: Bench, _ field: String = "X-A: 1", _ answers: String...) throws -> Message {
        let client = bench.client()
        client.request("GET /fruits HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
        for answer in answers { try bench.origin().send(answer) }
        return try #require(client.answers.first)
    }

    /// The second request is answered from the store for as long as the redirect and its target say.
    @Test(
        arguments: [
            (302, [], 60, nil), (302, ["Cache-Control: max-age=10"], 60, 10),
            (302, ["Cache-Control: max-age=90"], 60, 60),
            (307, ["Cache-Control: private, max-age=60"], 60, nil), (302, ["Cache-Control: no-store"], 60, nil),
            (301, [], 60, 60), (308, ["Cache-Control: max-age=5"], 60, 5), (301, ["Cache-Control: private"], 60, nil),
            (302, ["Cache-Control: max-age=60", "Age: 50"], 60, 10),
            (302, ["Cache-Control: max-age=60", "Vary: *"], 60, nil),
            (301, ["Sluice-Cache-Control: max-age=7"], 60, 7),
        ] as [(Int, [String], Int, Int?)])
    func aRedirectIsAPartOfTheAnswer(status: Int, fields: [String], age: Int, seconds: Int?) throws {
        let bench = try redirecting()
        let hop =
            "HTTP/1.1 \(status) X\r\nLocation: /v1/end\r\n" + fields.map { $0 + "\r\n" }.joined()
            + "Content-Length: 0\r\n\r\n"
        let first = try follow(bench, "X-A: 1", hop, answer("apple", "Cache-Control: max-age=\(age)", "ETag: \"v\""))
        #expect(first.text == "apple")
        // It is that of another resource than was asked for.
        #expect(first["ETag"] == nil)
        guard let seconds else {
            return #expect(try follow(bench, "X-A: 1", redirect(302), answer("pear")).text == "pear")
        }
        #expect(try bench.get("/fruits")["Cache-Status"] == "sluice; hit; ttl=\(seconds)")
        bench.expectQuiet()
    }

    /// What a binding says of being fresh is said of the whole; whom it is for is not.
    @Test(arguments: [([], true), (["Cache-Control: private"], false)])
    func freshOfARedirectingBinding(fields: [String], isStored: Bool) throws {
        let bench = try redirecting { $0.cache?.fresh = .seconds(60) }
        let hop =
            "HTTP/1.1 302 X\r\nLocation: /v1/end\r\n" + fields.map { $0 + "\r\n" }.joined()
            + "Content-Length: 0\r\n\r\n"
        #expect(try follow(bench, "X-A: 1", hop, answer("apple")).text == "apple")
        let again = bench.client()
        again.request("GET", "/fruits")
        #expect((again.answers.first?.text == "apple") == isStored)
    }

    /// RFC 9111 §3.5: what a redirect allows of itself, its target does not say.
    @Test(
        arguments: ["must-revalidate, max-age=60", "s-maxage=60", "public, max-age=60"],
        ["Authorization: Bearer one", "X-API-Key: one"])
    func aRedirectDoesNotSpeakForItsTarget(_ control: String, _ credential: String) throws {
        let bench = try redirecting()
        let first = try follow(
            bench, credential, redirect(302, "Cache-Control: \(control)"), answer("one", "Cache-Control: max-age=60"))
        #expect(first.text == "one")
        #expect(try follow(bench, "X-A: 1", redirect(302), answer("other")).text == "other")
    }

    /// RFC 9213 §2.2: clients read `Cache-Control`, other caches their own fields. One field takes the place of all.
    @Test(
        arguments: [
            ("CDN-Cache-Control: max-age=50", "Cache-Control: no-store", "no-store, max-age=0, s-maxage="),
            ("CDN-Cache-Control: max-age=50", "Cache-Control: max-age=9", "max-age=9"),
            ("CDN-Cache-Control: max-age=50", "X-A: 1", "max-age=0, s-maxage="),
            ("Sluice-Cache-Control: max-age=50", "CDN-Cache-Control: private", "private, max-age=0, s-maxage="),
            ("Sluice-Cache-Control: max-age=50", "Cache-Control: max-age=80", "max-age="),
        ], [(false, 60), (true, 40)])
    func targetedFieldsOfRedirects(_ fields: (String, String, String), _ plain: (isOfRedirect: Bool, age: Int)) throws {
        let (own, other, whole) = fields
        let bench = try redirecting()
        let control = "Cache-Control: max-age=\(plain.age)"
        let first = try follow(
            bench, "X-A: 1", plain.isOfRedirect ? redirect(302, control) : redirect(302, own, other),
            plain.isOfRedirect ? answer("apple", own, other) : answer("apple", control))
        #expect(first["Cache-Control"] == whole + (whole.hasSuffix("=") ? "\(min(plain.age, 50))" : ""))
        #expect(first["CDN-Cache-Control"] == nil && first["Sluice-Cache-Control"] == nil)
    }

    /// A head that says it all stays as it is.
    @Test func targetedFieldsStayWhereNothingIsAdded() throws {
        let bench = try redirecting()
        let fields = ["CDN-Cache-Control: max-age=50", "Cache-Control: no-store"]
        let first = try follow(
            bench, "X-A: 1", redirect(302, "Cache-Control: max-age=60"), answer("apple", fields[0], fields[1]))
        #expect(first["Cache-Control"] == "no-store" && first["CDN-Cache-Control"] == "max-age=50")
        #expect(try bench.get("/fruits")["Cache-Status"] == "sluice; hit; ttl=50")
    }

    /// The target may take its time, and the redirect grows old meanwhile.
    @Test func aRedirectIsOlderThanItsTarget() throws {
        let bench = try redirecting()
        let client = bench.client()
        client.request("GET", "/fruits")
        try bench.origin().send(redirect(302, "Cache-Control: max-age=10"))
        bench.advance(by: .seconds(4))
        try bench.origin().send(answer("apple", "Cache-Control: max-age=60"))
        #expect(client.answers.first?["Cache-Control"] == "max-age=6")
    }

    @Test func aRedirectSelects() throws {
        let bench = try redirecting()
        let fields = ["Cache-Control: max-age=60", "Vary: Cookie"]
        let first = try follow(
            bench, "Cookie: u=1", redirect(302, fields[0], fields[1]), answer("one", "Cache-Control: max-age=60"))
        #expect(first.text == "one")
        let second = try follow(
            bench, "Cookie: u=2", redirect(302, fields[0], fields[1]), answer("two", "Cache-Control: max-age=60"))
        #expect(second.text == "two")
        let third = try follow(bench, "Cookie: u=1")
        #expect(third.text == "one")
    }

    @Test func aWriteToWhereARedirectLeads() throws {
        let bench = try redirecting()
        let end = answer("apple", "Cache-Control: max-age=60", "Connection: close")
        #expect(try follow(bench, "X-A: 1", redirect(301), end).text == "apple")
        try bench.exchange(
            "PUT /raw/end HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        #expect(try follow(bench, "X-A: 1", redirect(301), answer("pear")).text == "pear")
    }

    /// A condition is about what was asked for, and a range about what was there (RFC 9110 §13.1, §14.2).
    @Test func conditionsEndAtARedirect() throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /fruits", to: "fruit /fruits") { $0.follow = .sameOrigin }]))
        let client = bench.client()
        client.request(
            "GET /fruits HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: \"a\"\r\nIf-Range: \"a\"\r\nRange: bytes=1-2\r\n"
                + "\r\n")
        #expect(try bench.forwarded()["If-None-Match"] == "\"a\"")
        try bench.origin().send(redirect(302))
        let asked = try bench.forwarded()
        #expect(asked.target == "/v1/end")
        #expect(["If-None-Match", "If-Range", "Range"].allSatisfy { asked[$0] == nil })
    }

    // MARK: - Pages

    private func paged(_ edit: (inout Binding) -> Void = { _ in }) throws -> Bench {
        let get = try Build.binding("GET /list", to: "fruit /list", value: "[Int]") {
            $0.cache = CachePolicy()
            $0.pages = PagePolicy(.page(parameter: "page"))
            edit(&$0)
        }
        return try Bench(Build.configuration([get, try Build.binding("ANY /raw/**", to: "fruit /**")]))
    }

    /// - Returns: the client of a list of two pages with items, whose second says `fields` of itself.
    private func list(_ bench: Bench, _ fields: String..., at target: String = "/list") throws -> ClientPeer {
        let client = bench.client()
        client.request("GET", target)
        let first = ["Cache-Control: max-age=60", "Content-Type: application/json"]
        try bench.origin().send(answer("[1]", first[0], first[1]))
        let own = fields.map { $0 + "\r\n" }.joined()
        try bench.origin().send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(own)Content-Length: 3\r\n\r\n[2]")
        try bench.origin().send(answer("[]", first[0], first[1], "Connection: close"))
        return client
    }

    @Test(
        arguments: [
            (["Cache-Control: max-age=60"], 60), (["Cache-Control: max-age=9"], 9),
            (["Cache-Control: max-age=60", "Age: 59"], 1), (["Cache-Control: private, max-age=60"], nil),
            (["Cache-Control: no-store"], nil), (["Cache-Control: max-age=60", "Vary: Cookie"], nil), ([], nil),
        ] as [([String], Int?)])
    func aPageIsAPartOfTheAnswer(fields: [String], seconds: Int?) throws {
        let bench = try paged()
        let own = fields.map { $0 + "\r\n" }.joined().dropLast()
        let first = try list(bench, fields.isEmpty ? "X-A: 1" : String(own))
        #expect(first.answers.first?.text == "[1,2]")
        let again = bench.client()
        again.request("GET", "/list")
        #expect(again.answers.first?["Cache-Status"] == seconds.map { "sluice; hit; ttl=\($0)" })
    }

    /// A client that waits with the one that asked asks for itself, where a page is for that one alone.
    @Test func aPageForOneClientAlone() throws {
        let bench = try paged()
        let clients = [bench.client(), bench.client()]
        for client in clients { client.request("GET", "/list") }
        let first = ["Cache-Control: max-age=60", "Content-Type: application/json"]
        let origin = try bench.origin()
        origin.send(answer("[1]", first[0], first[1]))
        origin.send(answer("[2]", "Cache-Control: private", first[1]))
        origin.send(answer("[]", first[0], first[1]))
        #expect(clients[0].answers.first?.text == "[1,2]")
        #expect(clients[1].answers.isEmpty)
        let targets = bench.origins.flatMap(\.requests).map(\.target)
        #expect(targets.filter { $0 == "/v1/list" }.count == 2)
    }

    /// What the client and whatever is made of the list are told is what all pages say.
    @Test func theHeadOfAListIsThatOfAllPages() throws {
        let bench = try paged()
        let client = try list(bench, "Cache-Control: max-age=9, must-revalidate")
        #expect(client.answers.first?["Cache-Control"] == "must-revalidate, max-age=9")
        #expect(client.answers.first?["Content-Length"] == "5")
    }

    /// A list that is a part of something: all its pages count there as well, stored or not.
    @Test(
        arguments: [
            (true, "Cache-Control: private", nil), (false, "Cache-Control: private", nil),
            (true, "Cache-Control: max-age=9", 9), (false, "Cache-Control: max-age=9", 9),
        ] as [(Bool, String, Int?)])
    func aPagedPart(isStored: Bool, field: String, seconds: Int?) throws {
        let get = try Build.binding("GET /list", to: "fruit /list", value: "[Int]") {
            $0.cache = isStored ? CachePolicy() : nil
            $0.pages = PagePolicy(.page(parameter: "page"))
        }
        let whole = try ComposedBench.composed("GET /whole", ["a": "GET /list"], value: "{items: [Int] from a}") {
            $0.cache = CachePolicy()
        }
        let bench = try Bench(Build.configuration([get, whole, try Build.binding("ANY /raw/**", to: "fruit /**")]))
        let first = try list(bench, field, at: "/whole")
        #expect(first.answers.first?.text == #"{"items":[1,2]}"#)
        func again() -> ClientPeer {
            let client = bench.client()
            client.request("GET", "/whole")
            return client
        }
        #expect(again().answers.first?["Cache-Status"] == seconds.map { "sluice; hit; ttl=\($0)" })
        if seconds == nil { return }
        try bench.exchange(
            "PUT /raw/list?page=2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        #expect(again().answers.isEmpty)
    }

    /// RFC 9213: a field for this cache takes the place of `Cache-Control`, of a part as well.
    @Test(arguments: ["Sluice-Cache-Control: private", "CDN-Cache-Control: no-store", "CDN-Cache-Control: max-age=0"])
    func aPartWithATargetedField(field: String) throws {
        let part = try Build.binding("GET /part", to: "fruit /part", value: "Int")
        let whole = try ComposedBench.composed("GET /whole", ["a": "GET /part"], value: "{n: Int from a}") {
            $0.cache = CachePolicy()
        }
        let bench = try Bench(Build.configuration([part, whole]))
        let own = ["Cache-Control: max-age=60", "Content-Type: application/json"]
        #expect(try bench.get("/whole", answer: answer("1", own[0], own[1], field)).text == #"{"n":1}"#)
        #expect(try bench.get("/whole", answer: answer("2", own[0], own[1], field)).text == #"{"n":2}"#)
    }

    /// HEAD brings no validator through a redirect that would tell what is stored from what is there now.
    @Test func headThroughARedirect() throws {
        let bench = try redirecting()
        let end = answer("apple", "Cache-Control: max-age=1")
        #expect(try follow(bench, "X-A: 1", redirect(301), end).text == "apple")
        bench.advance(by: .seconds(2))
        let client = bench.client()
        client.expect("HEAD")
        client.request("HEAD", "/fruits")
        try bench.origin().send(redirect(301))
        try bench.origin().send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nCache-Control: max-age=60\r\n\r\n")
        #expect(client.answers.first?.status == 200)
        #expect(try follow(bench, "X-A: 1", redirect(301), answer("melon")).text == "melon")
    }

    /// A request after a write to where it leads waits for no answer from before it.
    @Test func aWriteWhileARedirectIsFollowed() throws {
        let bench = try redirecting()
        let first = bench.client()
        first.request("GET", "/fruits")
        try bench.origin().send(redirect(301))
        let before = try bench.origin()
        try bench.exchange(
            "PUT /raw/end HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        let second = bench.client()
        second.request("GET", "/fruits")
        #expect(try bench.origin() !== before)
        before.send(answer("old", "Cache-Control: max-age=60"))
        #expect(first.answers.first?.text == "old")
        #expect(second.answers.isEmpty)
    }

    @Test func aWriteToALaterPage() throws {
        let bench = try paged()
        #expect(try list(bench, "Cache-Control: max-age=60").answers.first?.text == "[1,2]")
        try bench.exchange(
            "PUT /raw/list?page=2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
            answer: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        let again = bench.client()
        again.request("GET", "/list")
        #expect(again.answers.isEmpty)
    }
}
