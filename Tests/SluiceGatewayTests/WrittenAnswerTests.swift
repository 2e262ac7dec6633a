import SluiceCache
import SluiceContract
import Testing

@testable import SluiceGateway

/// `then:`: what the success of a change means for what is stored.
@Suite struct WrittenAnswerTests {
    private static func bench(_ edit: (inout [Binding]) throws -> Void = { _ in }) throws -> Bench {
        func stored(_ binding: inout Binding) {
            binding.cache = CachePolicy()
            binding.cache?.fresh = .seconds(60)
        }
        let list = try Build.binding("GET /fruits", to: "fruit /list", value: "[Int]") {
            stored(&$0)
            $0.cache?.tags = ["fruit"]
        }
        let one = try Build.binding("GET /fruits/{id}", to: "fruit /f/{id}", value: "Int") {
            $0.parameters = [try Build.parameter("id", "String", in: .path)]
            stored(&$0)
        }
        let other = try Build.binding("GET /trees", to: "fruit /trees", value: "Int") { stored(&$0) }
        let put = try Build.binding("PUT /fruits/{id}", to: "fruit /f/{id}") {
            $0.parameters = [try Build.parameter("id", "String", in: .path)]
            $0.body = .json(.scalar(.int))
            $0.answer = .echo
            $0.then = AfterWrite()
            $0.then?.invalidate = ["GET /fruits"]
            $0.then?.update = "GET /fruits/{id}"
        }
        var bindings = [list, one, other, put]
        try edit(&bindings)
        return try Bench(Build.configuration(bindings))
    }

    private static func json(_ text: String) -> String { FetchAnswerTests.json(text) }

    /// `Cache-Status` and body of a read; an origin that is asked says 99.
    private static func read(_ bench: Bench, _ target: String) throws -> Reading {
        let answer = try bench.get(target, answer: json(target == "/fruits" ? "[99]" : "99"))
        return Reading(isHit: answer["Cache-Status"]?.hasPrefix("sluice; hit") == true, text: answer.text)
    }

    private struct Reading: Equatable {
        var isHit: Bool
        var text: String
    }

    private static func write(_ bench: Bench, at id: String = "3", _ body: String) -> ClientPeer {
        let client = bench.client()
        client.request("PUT", "/fruits/\(id)", type: "application/json", body: body)
        return client
    }

    @Test func whatWasWrittenIsRead() throws {
        let bench = try Self.bench()
        _ = try Self.read(bench, "/fruits/3")
        _ = try Self.read(bench, "/fruits")
        _ = try Self.read(bench, "/trees")
        let client = Self.write(bench, "5")
        try bench.origin().send("HTTP/1.1 204 X\r\n\r\n")
        #expect(client.answers.first?.text == "5")
        let read = try Self.read(bench, "/fruits/3")
        #expect(read.isHit && read.text == "5")
        #expect(try !Self.read(bench, "/fruits").isHit, "it was named")
        #expect(try Self.read(bench, "/trees").isHit)
        bench.advance(by: .seconds(61))
        #expect(try !Self.read(bench, "/fruits/3").isHit)
        bench.expectQuiet()
    }

    /// It is there for who has never read it, at its own place alone, however that is written.
    @Test(arguments: ["3", "a%20b", "%C3%A9"]) func itsPlaceIsItsOwn(_ id: String) throws {
        let bench = try Self.bench()
        _ = Self.write(bench, at: id, "5")
        try bench.origin().answer(200)
        let read = try Self.read(bench, "/fruits/\(id)")
        #expect(read.isHit && read.text == "5")
        #expect(try !Self.read(bench, "/fruits/4").isHit)
        bench.expectQuiet()
    }

    @Test(arguments: [400, 409, 500]) func aRefusedChangeChangesNothing(_ status: Int) throws {
        let bench = try Self.bench()
        _ = try Self.read(bench, "/fruits/3")
        _ = try Self.read(bench, "/fruits")
        let client = Self.write(bench, "5")
        try bench.origin().answer(status)
        #expect(client.answers.first?.status == status)
        #expect(try Self.read(bench, "/fruits/3") == Reading(isHit: true, text: "99"))
        #expect(try Self.read(bench, "/fruits").isHit)
        bench.expectQuiet()
    }

    /// Nobody knows which of two came last: the next reader asks.
    @Test func changesThatOverlapLeaveNothing() throws {
        let bench = try Self.bench()
        let first = Self.write(bench, "5")
        let second = Self.write(bench, "6")
        let (one, two) = (bench.origins[0], bench.origins[1])
        two.answer(200)
        #expect(second.answers.first?.text == "6")
        // So far it was the only one to be accepted.
        #expect(try Self.read(bench, "/fruits/3") == Reading(isHit: true, text: "6"))
        one.answer(200)
        #expect(first.answers.first?.text == "5")
        #expect(try !Self.read(bench, "/fruits/3").isHit)
        bench.expectQuiet()
    }

    /// An answer from before the change does not come back behind it.
    @Test func whatWasOnItsWayIsOutdated() throws {
        let bench = try Self.bench()
        let reader = bench.client()
        reader.request("GET", "/fruits/3")
        let old = try bench.origin()
        _ = Self.write(bench, "5")
        try bench.origin().answer(200)
        old.answer(json: "1")
        #expect(reader.answers.first?.text == "1")
        let read = try Self.read(bench, "/fruits/3")
        #expect(read.isHit && read.text == "5")
        reader.reset()
        bench.expectQuiet()
    }

    @Test func aPurgeBetweenIsHeard() throws {
        let bench = try Self.bench()
        _ = Self.write(bench, "5")
        bench.gateway.loopCache.shared.announce([PurgeRequest(.everything)])
        try bench.origin().answer(200)
        #expect(try !Self.read(bench, "/fruits/3").isHit)
        bench.expectQuiet()
    }

    /// The upstream's answer is the value where nothing is echoed; a longer one than is held becomes no entry.
    @Test(arguments: [1 << 20, 0]) func answersOfTheUpstreamAreRead(_ hold: Int) throws {
        let bench = try Self.bench {
            $0[3].answer = .response
            $0[3].value = .scalar(.int)
            $0[3].holdBytes = hold
        }
        let client = Self.write(bench, "5")
        try bench.origin().answer(json: "6")
        #expect(client.answers.first?.text == "6")
        let read = try Self.read(bench, "/fruits/3")
        #expect(read.isHit == (hold > 0) && read.text == (hold > 0 ? "6" : "99"))
        bench.expectQuiet()
    }

    /// What a client writes with credentials of its own is read with them, and the entry is for all.
    @Test(arguments: ["Authorization: Bearer a", "Cookie: a=1", "X-API-Key: a"])
    func whatIsWrittenInAClientsOwnNameIsNotRead(_ field: String) throws {
        let bench = try Self.bench()
        let client = bench.client()
        client.request(
            "PUT /fruits/3 HTTP/1.1\r\nHost: localhost\r\n\(field)\r\nContent-Type: application/json\r\n"
                + "Content-Length: 1\r\n\r\n5")
        try bench.origin().answer(200)
        #expect(client.answers.first?.text == "5")
        #expect(try !Self.read(bench, "/fruits/3").isHit)
        bench.expectQuiet()
    }

    /// RFC 9110 §15.3.3: it is yet to be made.
    @Test func anAcceptedChangeIsNotReadYet() throws {
        let bench = try Self.bench()
        _ = Self.write(bench, "5")
        try bench.origin().answer(202)
        #expect(try !Self.read(bench, "/fruits/3").isHit)
        bench.expectQuiet()
    }

    /// The upstream has said that what it answers is not for all.
    @Test func whatVariesIsNotReplaced() throws {
        let bench = try Self.bench()
        let reader = bench.client()
        reader.request("GET", "/fruits/3")
        try bench.origin().send(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nVary: Accept-Language\r\nContent-Length: 2\r\n\r\n99")
        #expect(reader.answers.first?.text == "99")
        reader.reset()
        _ = Self.write(bench, "5")
        try bench.origin().answer(200)
        #expect(try !Self.read(bench, "/fruits/3").isHit)
        bench.expectQuiet()
    }

    /// Another change has named the answer meanwhile: nobody knows which came last.
    @Test func aNameBetweenIsHeard() throws {
        let bench = try Self.bench { bindings in
            var reset = try Build.binding("POST /reset", to: "fruit /reset")
            reset.then = AfterWrite()
            reset.then?.invalidate = ["GET /fruits/{id}"]
            bindings.append(reset)
        }
        _ = Self.write(bench, "5")
        let put = try bench.origin()
        let other = bench.client()
        other.request("POST", "/reset", type: "application/json", body: "{}")
        try bench.origin().answer(200)
        #expect(other.answers.first?.status == 200)
        put.answer(200)
        let reader = bench.client()
        reader.request("GET", "/fruits/3")
        #expect(reader.answers.isEmpty, "the upstream is asked")
        reader.reset()
        bench.expectQuiet()
    }

    @Test func anUnprovenAnswerIsNotRead() throws {
        let bench = try Self.bench {
            $0[3].answer = .response
            $0[3].value = .scalar(.int)
        }
        let client = Self.write(bench, "5")
        try bench.origin().answer(json: "\"x\"")
        #expect(client.answers.first?.status == 502)
        #expect(try !Self.read(bench, "/fruits/3").isHit)
        bench.expectQuiet()
    }

    @Test func tagsAreNamed() throws {
        let bench = try Self.bench {
            $0[3].then = AfterWrite()
            $0[3].then?.tags = ["fruit"]
        }
        _ = try Self.read(bench, "/fruits")
        _ = try Self.read(bench, "/trees")
        _ = Self.write(bench, "5")
        try bench.origin().answer(200)
        #expect(try !Self.read(bench, "/fruits").isHit)
        #expect(try Self.read(bench, "/trees").isHit)
        bench.expectQuiet()
    }

    /// What is made of a part is of no more use than the part.
    @Test func whatIsMadeOfItIsMeantToo() throws {
        let bench = try Self.bench { bindings in
            var whole = try Build.binding("GET /whole", to: "fruit /none") {
                $0.value = .object(try Build.object(["fruits": "[Int]"]))
                $0.cache = CachePolicy()
                $0.cache?.fresh = .seconds(60)
            }
            whole.upstream = Composition.upstreamName
            whole.composition = Composition([
                Composition.Part("fruits", method: "GET", path: [[.text("fruits")]])
            ])
            bindings.append(whole)
        }
        let names = bench.gateway.generation.table.routes.map { route in
            (route.cache?.writtenNames ?? []).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(names == [["binding GET /fruits"], [], [], [], ["binding GET /fruits"]])
        bench.expectQuiet()
    }
}
