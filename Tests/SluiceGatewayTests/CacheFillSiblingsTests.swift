import SluiceContract
import SluiceHTTP
import Testing

@testable import SluiceGateway

/// Bindings that read values of the same upstream answer share one request and one parse.
@Suite struct CacheFillSiblingsTests {
    /// `/count` is the number beside the list, `/fruits` the list, `/plain` a value that is not stored.
    private func configuration(_ edit: (inout Binding) -> Void = { _ in }) throws -> Configuration {
        func binding(_ name: String, _ type: String) throws -> Binding {
            try Build.binding("GET /\(name)/{id}", to: "fruit /all/{id}", value: type) {
                $0.parameters = [try Build.parameter("id", "Int", in: .path)]
                $0.parent = FieldPath(name)
                $0.cache = CachePolicy()
                edit(&$0)
            }
        }
        var plain = try binding("plain", "Bool")
        plain.cache = nil
        return Build.configuration([try binding("count", "Int"), try binding("fruits", "[String]"), plain])
    }

    private func bench(_ edit: (inout Binding) -> Void = { _ in }) throws -> Bench {
        try Bench(configuration(edit))
    }

    private static let document = #"{"count": 2, "fruits": ["apple", "pear"], "plain": true}"#

    private func answer(_ body: String = document, _ fields: String...) -> String {
        "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nETag: \"v1\"\r\n" + fields.map { $0 + "\r\n" }.joined()
            + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    }

    private func request(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

    private func fetches(_ bench: Bench) -> Int { bench.origins.reduce(0) { $0 + $1.requests.count } }

    @Test(arguments: 1...5) func whoComesLaterHits(piece: Int) throws {
        let bench = try bench()
        let first = bench.client()
        first.request(request("/count/7"))
        try bench.origin().send(answer(), inPiecesOf: piece * 7)
        #expect(first.answers.first?.text == "2")
        let second = try bench.get("/fruits/7")
        #expect(second.text == #"["apple", "pear"]"#)
        #expect(second["Cache-Status"] == "sluice; hit; ttl=60")
        #expect(second["ETag"] != first.answers.first?["ETag"])
        #expect(try bench.get("/count/7")["Cache-Status"] == "sluice; hit; ttl=60")
        #expect(fetches(bench) == 1)
        // What is not stored asks for itself; another parameter is another resource.
        #expect(try bench.get("/plain/7", answer: answer()).text == "true")
        #expect(try bench.get("/fruits/8", answer: answer()).text == #"["apple", "pear"]"#)
        #expect(fetches(bench) == 3)
        first.reset()
        bench.expectQuiet()
        #expect(bench.gateway.loopCache.fills.isEmpty)
    }

    @Test func whoComesMeanwhileWaits() throws {
        let bench = try bench()
        let clients = (0..<6).map { _ in bench.client() }
        for (index, client) in clients.enumerated() {
            client.request(request(index % 2 == 0 ? "/count/7" : "/fruits/7"))
        }
        clients[0].reset()
        try bench.origin().send(answer())
        for (index, client) in clients.enumerated().dropFirst() {
            #expect(client.answers.first?.text == (index % 2 == 0 ? "2" : #"["apple", "pear"]"#))
            #expect(client.answers.first?["Cache-Status"] == "sluice; fwd=uri-miss; stored; collapsed")
        }
        #expect(fetches(bench) == 1)
        for client in clients { client.reset() }
        bench.expectQuiet()
        #expect(bench.gateway.loopCache.fills.isEmpty)
    }

    /// A value that is not of its type is a problem of its own clients, whoever has asked.
    @Test(arguments: ["/count/7", "/fruits/7"])
    func aFaultIsNotTheOthers(lead: String) throws {
        let bench = try bench()
        let other = lead == "/count/7" ? "/fruits/7" : "/count/7"
        let first = bench.client()
        let second = bench.client()
        first.request(request(lead))
        second.request(request(other))
        try bench.origin().send(answer(#"{"count": "two", "fruits": ["apple"]}"#))
        let count = lead == "/count/7" ? first : second
        let fruits = lead == "/count/7" ? second : first
        #expect(fruits.answers.first?.text == #"["apple"]"#)
        #expect(count.answers.first?.status == 502)
        #expect(count.answers.first?.text.contains("$.count") == true)
        #expect(fetches(bench) == 1)
        #expect(try bench.get("/fruits/7").status == 200)
        #expect(fetches(bench) == 1)
        for client in [first, second] { client.reset() }
        bench.expectQuiet()
        #expect(bench.gateway.loopCache.fills.isEmpty)
    }

    /// Each is told as many faults as it wants, however many the others have.
    @Test(arguments: ["/count/7", "/fruits/7"])
    func faultsAreCountedForEach(lead: String) throws {
        let bench = try bench { $0.reportCount = 2 }
        let other = lead == "/count/7" ? "/fruits/7" : "/count/7"
        let clients = [lead, other].map { target in
            let client = bench.client()
            client.request(request(target))
            return client
        }
        try bench.origin().send(answer(#"{"fruits": [1, 2, 3, 4, 5, 6], "count": "two"}"#))
        let answers = clients.map { $0.answers.first?.text ?? "" }
        let (count, fruits) = lead == "/count/7" ? (answers[0], answers[1]) : (answers[1], answers[0])
        #expect(count.contains("$.count") && !count.contains("$.fruits"), "\(count)")
        #expect(fruits.contains("$.fruits[1]") && !fruits.contains("$.fruits[2]"), "\(fruits)")
    }

    /// A key that stands twice is a fault for who reads it.
    @Test(arguments: ["/count/7", "/fruits/7"])
    func aRepeatedKeyIsNotTheOthers(lead: String) throws {
        let bench = try bench()
        let other = lead == "/count/7" ? "/fruits/7" : "/count/7"
        let clients = [lead, other].map { target in
            let client = bench.client()
            client.request(request(target))
            return client
        }
        try bench.origin().send(answer(#"{"fruits": ["fig"], "count": 2, "fruits": ["apple"]}"#))
        let answers = clients.map { $0.answers.first?.text ?? "" }
        let (count, fruits) = lead == "/count/7" ? (answers[0], answers[1]) : (answers[1], answers[0])
        #expect(count == "2")
        #expect(fruits.contains("type-mismatch") && fruits.contains("the key once"), "\(fruits)")
        #expect(fetches(bench) == 1)
    }

    @Test func aMissingValueIsNotTheOthers() throws {
        let bench = try bench()
        let first = bench.client()
        let second = bench.client()
        first.request(request("/count/7"))
        second.request(request("/fruits/7"))
        try bench.origin().send(answer(#"{"count": 1}"#))
        #expect(first.answers.first?.text == "1")
        #expect(second.answers.first?.text.contains("missing-value") == true)
        #expect(fetches(bench) == 1)
    }

    /// Rubbish, an error, and a connection that ends: all hear of it, and nobody asks again.
    @Test(arguments: [
        (#"HTTP/1.1 200 OK\#r\#nContent-Length: 3\#r\#n\#r\#n{"c"#, 502),
        ("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n", 503), ("rubbish\r\n\r\n", 502),
    ])
    func aFailureIsEverybodys(answer: String, status: Int) throws {
        let bench = try bench()
        let clients = ["/count/7", "/fruits/7", "/count/7"].map { target in
            let client = bench.client()
            client.request(request(target))
            return client
        }
        let origin = try bench.origin()
        origin.send(answer)
        origin.endInput()
        for client in clients { #expect(client.answers.first?.status == status) }
        #expect(fetches(bench) == 1)
        for client in clients { client.reset() }
        bench.expectQuiet()
        #expect(bench.gateway.loopCache.fills.isEmpty)
    }

    @Test func whatIsNotStorableIsAskedForAlone() throws {
        let bench = try bench()
        let clients = ["/count/7", "/fruits/7", "/fruits/7"].map { target in
            let client = bench.client()
            client.request(request(target))
            return client
        }
        let answer = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: \(Self.document.count)\r\n\r\n"
        try bench.origin().send(answer + Self.document)
        #expect(clients[0].answers.first?.text == "2")
        #expect(fetches(bench) == 3)
        for origin in bench.origins where !origin.requests.isEmpty { origin.send(answer + Self.document) }
        for client in clients.dropFirst() { #expect(client.answers.first?.text == #"["apple", "pear"]"#) }
    }

    @Test func eachHasAPolicyOfItsOwn() throws {
        let bench = try bench {
            if $0.parent == FieldPath("count") { $0.cache?.fresh = .seconds(5) }
        }
        try bench.get("/fruits/7", answer: answer())
        bench.advance(by: .seconds(6))
        #expect(try bench.get("/fruits/7")["Cache-Status"] == "sluice; hit; ttl=54")
        // One is stale, and asked for with the validator of the whole; what says that it is right says it of both.
        let again = try bench.get("/count/7", answer: "HTTP/1.1 304 X\r\nCache-Control: max-age=60\r\n\r\n")
        #expect(try bench.forwarded()["If-None-Match"] == "\"v1\"")
        #expect(again.text == "2")
        #expect(try bench.get("/fruits/7")["Cache-Status"] == "sluice; hit; ttl=60")
        #expect(fetches(bench) == 2)
        bench.expectQuiet()
    }

    @Test func nobodyIsLeft() throws {
        let bench = try bench()
        let first = bench.client()
        let second = bench.client()
        first.request(request("/count/7"))
        second.request(request("/fruits/7"))
        first.reset()
        #expect(bench.gateway.loopCache.fills.count == 2)
        second.reset()
        bench.expectQuiet()
        #expect(bench.gateway.loopCache.fills.isEmpty)
    }

    @Test func variantsAreKeptApart() throws {
        let bench = try bench()
        func ask(_ target: String, _ language: String) -> ClientPeer {
            let client = bench.client()
            client.request("GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept-Language: \(language)\r\n\r\n")
            return client
        }
        let clients = [ask("/count/7", "en"), ask("/fruits/7", "en"), ask("/fruits/7", "de"), ask("/count/7", "de")]
        let fields = "Vary: Accept-Language"
        try bench.origin().send(answer(#"{"count": 1, "fruits": ["apple"]}"#, fields))
        #expect(clients.map { $0.answers.first?.text } == ["1", #"["apple"]"#, nil, nil])
        for origin in bench.origins where origin.requests.last?["Accept-Language"] == "de" {
            origin.send(answer(#"{"count": 2, "fruits": ["Apfel"]}"#, fields))
        }
        #expect(clients.map { $0.answers.first?.text } == ["1", #"["apple"]"#, #"["Apfel"]"#, "2"])
        // Each of the two found out by itself that there are variants; from then on they share again.
        let before = fetches(bench)
        try bench.get("/count/7", "Accept-Language: fr", answer: answer(#"{"count": 3, "fruits": ["pomme"]}"#, fields))
        #expect(try bench.get("/fruits/7", "Accept-Language: fr").text == #"["pomme"]"#)
        #expect(fetches(bench) == before + 1)
    }

    /// A value longer than `hold:` is asked for by itself.
    @Test func aLongValueStaysAlone() throws {
        let bench = try bench { $0.holdBytes = 12 }
        try bench.get("/count/7", answer: answer())
        #expect(try bench.get("/fruits/7", answer: answer()).text == #"["apple", "pear"]"#)
        #expect(fetches(bench) == 2)
    }

    @Test func anEntryIsKnownByItsOwnTarget() throws {
        let bench = try bench()
        let client = bench.client()
        client.request(request("/count/7"))
        let key = try #require(bench.gateway.loopCache.fills.first { $0.value.lead != nil }?.key)
        try bench.origin().send(answer())
        #expect(bench.gateway.loopCache.find(key)?.label.target == Array("/fruits/7".utf8))
        #expect(bench.gateway.loopCache.find(key)?.label.source?.binding == "GET /fruits/{id}")
    }
}
