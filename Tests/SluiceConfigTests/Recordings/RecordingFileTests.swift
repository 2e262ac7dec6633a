import SluiceContract
import SluiceFiles
import Testing

@testable import SluiceConfig

/// A recorded exchange comes back from its file with every byte.
@Suite struct RecordingFileTests {
    private static func exchange(_ body: [UInt8]) -> RecordedExchange {
        var exchange = RecordedExchange(upstream: "fruit", method: "POST", target: "/v1/a?b=\"c\"&d=%20", status: 201)
        exchange.binding = "POST /a/{id}"
        exchange.origin = "https://fruit.example"
        exchange.requestFields = [HeaderSetting(name: "accept", value: "*/*")]
        exchange.requestBody = body
        exchange.fields = [
            HeaderSetting(name: "content-type", value: "text/plain"),
            HeaderSetting(name: "link", value: "<a>; rel=\"b\""),
            HeaderSetting(name: "link", value: "no: [1, 'x'] # \\ é"), HeaderSetting(name: "x-empty", value: ""),
        ]
        exchange.body = body
        exchange.at = 1_795_427_349_123
        exchange.milliseconds = 12
        (exchange.leftOut, exchange.compared) = (["email", "x y"], ["sort_key"])
        exchange.number = 3
        return exchange
    }

    private static func again(_ exchange: RecordedExchange) throws -> RecordedExchange {
        try RecordingFile.exchange(of: Array(RecordingFile.text(of: exchange).utf8), name: "a.yaml")
    }

    @Test(arguments: [
        "", " ", "\n", "\n\n", "a", "a\n", "a\n\n", "\na", "  a\n b", "{\"a\": [1, \"é\"]}\n", "a\r\nb", "\t",
        "\ta\n\tb",
        "a \n \n b ", "--- \n...\n", "# no comment", "key: value", "\u{FEFF}bom", "a\u{2028}b", "a\u{85}b", "\u{0}",
        "\u{7F}", "🍎 \u{10FFFD}", "- a\n- b", "%YAML 1.2", "|", "a\\nb", "\"", "'",
    ])
    func keepsTexts(_ text: String) throws {
        let exchange = Self.exchange(Array(text.utf8))
        #expect(try Self.again(exchange) == exchange, "\(RecordingFile.text(of: exchange))")
    }

    @Test func keepsAnyBytes() throws {
        var state: UInt64 = 1
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let alphabet = Array(" \n\t\r\"'\\:#-{}[]|>é\u{85}\u{0}a".unicodeScalars)
        for round in 0..<2_000 {
            let count = Int(next() % 40)
            let bytes: [UInt8] =
                round % 3 == 0
                ? (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
                : Array(
                    String(
                        String.UnicodeScalarView(
                            (0..<count).map { _ in
                                alphabet[Int(next()) % alphabet.count]
                            })
                    ).utf8)
            let exchange = Self.exchange(bytes)
            let same = try Self.again(exchange) == exchange
            #expect(same, "\(bytes)")
            if !same { return }
        }
    }

    @Test func isReadable() {
        var exchange = Self.exchange(Array("{\"name\":\"fig\"}".utf8))
        exchange.requestBody = []
        let text = RecordingFile.text(of: exchange)
        #expect(text.contains("  body: |2-\n    {\"name\":\"fig\"}\n"), "\(text)")
        exchange.body = Array("a\n\tb\n".utf8)
        let lines = RecordingFile.text(of: exchange)
        #expect(lines.contains("  body: |2\n    a\n    \tb\n"), "\(lines)")
    }

    @Test(arguments: [
        ("", "the file says nothing"), ("upstream: a", "key 'request' is missing"),
        ("upstream: a\nrequest: {method: GET, target: /}\nanswer: {status: 99}", "99 is no status of an answer"),
        ("upstream: a\nrequest: {method: GET, target: /}\nanswer: {status: 200, base64: '!'}", "this is no base64"),
        (
            "upstream: a\nrequest: {method: GET, target: /}\nanswer: {status: 200, headers: [a]}",
            "the text 'a' is no field"
        ),
        ("upstream: a\nat: -1\nrequest: {method: GET, target: /}\nanswer: {status: 200}", "-1 is out of range"),
        ("upstream: a\nnumber: 0\nrequest: {method: GET, target: /}\nanswer: {status: 200}", "0 is out of range"),
        ("upstream: a\nrequests: {}", "unknown key 'requests'"),
        ("upstream: a\nrequest: {method: G T, target: /}\nanswer: {status: 200}", "'G T' is no method"),
    ])
    func tellsWhatIsWrong(_ text: String, _ message: String) {
        do {
            _ = try RecordingFile.exchange(of: Array(text.utf8), name: "a.yaml")
            Issue.record("it was read")
        } catch {
            #expect(error.mistakes.contains { $0.message.hasPrefix(message) }, "\(error.mistakes)")
        }
    }

    /// A text that is mostly escapes would be larger than any recording may be.
    @Test func aTextOfControlsIsWrittenAsBytes() throws {
        let exchange = Self.exchange([UInt8](repeating: 0, count: 1000))
        #expect(RecordingFile.text(of: exchange).utf8.count < 4000)
        #expect(try Self.again(exchange) == exchange)
    }

    // MARK: - Folders

    /// Reading a pipe has no end, and neither has a file of the disk's size: they are told instead.
    @Test(arguments: [
        (FileKind.other, "it is no file"), (.file(bytes: 1 << 40), "no recording has more than 128 MiB"),
    ])
    func aFolderIsReadToAnEnd(_ kind: FileKind, _ reason: String) {
        let surroundings = Surroundings(
            contents: { path in
                Issue.record("\(path) was read")
                return .success([])
            }, secretFile: { _, _ in nil },
            names: { .success($0 == "r" ? ["a", "pipe"] : ["x.yaml"]) },
            kind: { $0 == "r/a" ? .folder : kind })
        do {
            _ = try RecordingFolder("r", surroundings: surroundings).read()
            Issue.record("it was read")
        } catch {
            #expect(error.path == "r/a/x.yaml" && error.reason.contains(reason), "\(error)")
        }
    }

    // MARK: - Names

    @Test func namesFollowFromTheRequest() {
        var exchange = Self.exchange([])
        exchange.number = 1
        let name = RecordingFolder.name(of: exchange)
        #expect(name.hasPrefix("fruit/POST-v1-a-b-c-d-20-") && name.hasSuffix(".yaml"), "\(name)")
        #expect(RecordingFolder.name(of: exchange) == name)
        exchange.requestBody = [1]
        #expect(RecordingFolder.name(of: exchange) != name)
        exchange.number = 2
        #expect(RecordingFolder.name(of: exchange).hasSuffix(".2.yaml"))
        let root = RecordedExchange(upstream: "a", method: "GET", target: "/", status: 200)
        #expect(RecordingFolder.name(of: root).hasPrefix("a/GET-root-"))
        let long = RecordedExchange(
            upstream: "a", method: "GET", target: "/" + String(repeating: "../x", count: 200), status: 200)
        #expect(RecordingFolder.name(of: long).utf8.count < 100)
    }
}
