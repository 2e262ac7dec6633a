import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers that are texts of rows (`rows:`).
@Suite struct RowExtractionTests {
    private static func answer(
        _ policy: RowPolicy, _ text: String, type: String = "text/csv", value: String = "[Fruit]", pieces: Int = .max,
        end: Bool = false, hold: Int = 1 << 20, _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Message {
        let fruit = try Build.object(["name": "String", "price": "Double"])
        let binding = try Build.binding("GET /a", to: "fruit /a", value: value) {
            $0.rows = policy
            $0.holdBytes = hold
            try edit(&$0)
        }
        let bench = try Bench(Build.configuration([binding], types: [.init(name: "Fruit", type: .object(fruit))]))
        let client = bench.client()
        client.request("GET", "/a")
        let origin = try bench.origin()
        #expect(origin.requests.first?["Accept"] == policy.format.mediaType)
        origin.send(
            "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)",
            inPiecesOf: pieces)
        if end { origin.endInput() }
        bench.expectQuiet()
        return try #require(client.answers.first)
    }

    private static let csv = RowPolicy(.csv(.init()))

    @Test(arguments: [1, 7, .max], [1 << 20, 10, 0])
    func rowsAreOneArray(pieces: Int, hold: Int) throws {
        let table = try Self.answer(Self.csv, "name,price,x\na,1.5,\n\"b,\",2,y\n", pieces: pieces, hold: hold)
        #expect(table.status == 200 && table.isComplete && table["Content-Type"] == "application/json")
        #expect(
            table.text == #"[{"name":"a","price":1.5,"x":""}"# + "\n" + #",{"name":"b,","price":2,"x":"y"}"# + "\n]")
        let lines = try Self.answer(
            RowPolicy(.ndjson), "{\"name\": \"a\", \"price\": 1}\n\n{\"price\": 2, \"name\": \"b\", \"x\": 3}",
            pieces: pieces,
            hold: hold
        ) { $0.unknownKeys = .drop }
        #expect(lines.text == #"[{"name": "a", "price": 1}"# + "\n" + #",{"price": 2, "name": "b"}"# + "\n]")
    }

    @Test func nothingIsAnArrayToo() throws {
        #expect(try Self.answer(Self.csv, "").text == "[]")
        #expect(try Self.answer(RowPolicy(.ndjson), "\n").text == "[]")
        let none = try Self.answer(RowPolicy(.ndjson, delivery: .lines), "")
        #expect(none.status == 200 && none.text == "" && none["Content-Type"] == "application/x-ndjson")
    }

    /// The path of a fault begins with the number of its row.
    @Test(arguments: [1, .max]) func aFaultNamesItsRow(pieces: Int) throws {
        let rows = (0..<17).map { "n\($0),\($0)\n" }.joined()
        let drifted = try Self.answer(Self.csv, "name,price\n\(rows)x,cheap\n", pieces: pieces)
        #expect(drifted.status == 502)
        #expect(drifted.text.contains(#""name":"$[17].price""#) && drifted.text.contains("cheap"), "\(drifted.text)")
        let broken = try Self.answer(Self.csv, "name,price\n\(rows)x,1,2\n", pieces: pieces)
        #expect(broken.status == 502 && broken.text.contains("holds no rows of csv"))
        #expect(broken.text.contains(#""name":"$[17]""#) && broken.text.contains("2 fields"), "\(broken.text)")
        let line = try Self.answer(RowPolicy(.ndjson), "{\"name\":\"a\",\"price\":1}\n{\"name\":1,2", pieces: pieces)
        #expect(line.text.contains(#""name":"$[1]""#), "\(line.text)")
    }

    /// A field may hold anything that is text.
    @Test(arguments: [1, .max]) func aTableIsUTF8(pieces: Int) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "[[String: String]]") { $0.rows = Self.csv }
        let bench = try Bench(Build.configuration([binding]))
        let client = bench.client()
        client.request("GET", "/a")
        let table = Array("name\na\nb".utf8) + [0xE9] + Array("c\n".utf8)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: \(table.count)\r\n\r\n"
        try bench.origin().send(Array(head.utf8) + table, inPiecesOf: pieces)
        let answer = try #require(client.answers.first)
        #expect(answer.status == 502 && answer.text.contains("The answer of 'fruit' is not UTF-8."), "\(answer.text)")
        #expect(answer.text.contains(#""expected":"UTF-8""#), "\(answer.text)")
    }

    /// Each row goes out with the read that completes it, and not a byte of one that is not proven.
    @Test func linesGoOutAsTheyArrive() throws {
        let step = try Build.object(["n": "Int"])
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "[Step]") {
            $0.rows = RowPolicy(.events(end: "[DONE]"))
            $0.parent = FieldPath("*.delta?")
        }
        let bench = try Bench(Build.configuration([binding], types: [.init(name: "Step", type: .object(step))]))
        let client = bench.client()
        client.request("GET", "/a")
        let origin = try bench.origin()
        func send(_ text: String) { origin.send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n") }
        origin.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(client.answers.isEmpty)
        send("event: a\ndata: {\"id\": 1}\n\ndata: {\"delta\": {\"n\":")
        #expect(client.answers.isEmpty)
        send(" 1}}\n\n")
        #expect(client.answers.first?.text == "{\"n\": 1}\n")
        // Longer than a whole answer may take.
        bench.advance(by: .seconds(80))
        send("data: {\"delta\":\ndata: {\"n\": 2}}\n\n: still here\n\ndata: {\"delta\": {\"n\": 3}}\n\n")
        #expect(client.answers.first?.text == "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n")
        send("data: [DONE]\n\n")
        origin.send("0\r\n\r\n")
        bench.expectQuiet()
        let answer = try #require(client.answers.first)
        #expect(answer.isComplete && answer["Content-Type"] == "application/x-ndjson")
        #expect(answer.text == "{\"n\": 1}\n{\"n\": 2}\n{\"n\": 3}\n")
    }

    @Test(arguments: [1, .max]) func whatIsProvenGoesOutInFrontOfAFault(pieces: Int) throws {
        let lines = RowPolicy(.ndjson, delivery: .lines)
        let text =
            "{\"name\":\"a\",\"price\":1}\n{\"name\":\"b\",\"price\":2}\n"
            + "{\"name\":\"c\"}\n{\"name\":\"d\",\"price\":2}\n"
        let cut = try Self.answer(lines, text, pieces: pieces)
        #expect(cut.status == 200 && !cut.isComplete)
        #expect(cut.text == "{\"name\":\"a\",\"price\":1}\n{\"name\":\"b\",\"price\":2}\n")
        let first = try Self.answer(lines, "{\"name\":\"a\"}\n{\"name\":\"b\",\"price\":2}\n", pieces: pieces)
        #expect(first.status == 502 && first.text.contains(#""name":"$[0]""#), "\(first.text)")
    }

    /// They have no end that a limit could be for; an array is a document.
    @Test(arguments: [RowPolicy.Delivery.lines, .array])
    func aStreamOfLinesIsNoDocument(delivery: RowPolicy.Delivery) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "[Int]") {
            $0.rows = RowPolicy(.ndjson, delivery: delivery)
        }
        let bench = try Bench(Build.configuration([binding]) { $0.limits.jsonBytes = 20 })
        let client = bench.client()
        client.request("GET", "/a")
        let text = (100..<120).map { "\($0)\n" }.joined()
        try bench.origin().send(FetchAnswerTests.json(text), inPiecesOf: 7)
        bench.expectQuiet()
        let answer = try #require(client.answers.first)
        if delivery == .lines {
            #expect(answer.isComplete && answer.text == text)
        } else {
            #expect(answer.status == 502 && answer.text.contains("at most 20 bytes"), "\(answer.text)")
        }
    }

    @Test func whatIsNoEventStreamIsNone() throws {
        let page = try Self.answer(RowPolicy(.events(end: nil)), "<html></html>", type: "text/html")
        #expect(page.status == 502 && page.text.contains("is no event stream (text/event-stream)"))
        let cut = try Self.answer(
            RowPolicy(.events(end: nil), delivery: .array), "data: {\"name\":\"a\",\"price\":1}\n",
            type: "text/event-stream; charset=utf-8")
        #expect(cut.status == 502 && cut.text.contains("an empty line behind the last event"))
    }

    /// Who forgets `rows:` is told of it.
    @Test(arguments: [
        ("text/csv; header=present", "csv"), ("application/x-ndjson", "ndjson"), ("text/event-stream", "events"),
    ])
    func theKeyIsNamed(type: String, format: String) throws {
        let text = "a,b"
        let client = try FetchAnswerTests.answer(
            "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
        ) { $0.value = .array(.scalar(.json)) }
        #expect(client.answers.first?.text.contains("'rows: \(format)' reads such a text.") == true)
    }

    @Test func errorsAreDocuments() throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "[Int]") {
            $0.rows = RowPolicy(.ndjson, delivery: .lines)
            $0.valueByStatus = [404: .object(try Build.object(["error": "String"]))]
        }
        let bench = try Bench(Build.configuration([binding]))
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send(FetchAnswerTests.json("{\"error\": \"none\"}", status: 404))
        bench.expectQuiet()
        #expect(client.answers.first?.text == "{\"error\": \"none\"}")
        #expect(client.answers.first?["Content-Type"] == "application/json")
    }
}
