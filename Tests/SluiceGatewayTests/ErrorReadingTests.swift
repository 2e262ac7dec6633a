import SluiceContract
import Testing

@testable import SluiceGateway

/// Answers that say in their JSON, and not by their status, that they are errors (`error: {when: …}`).
@Suite struct ErrorReadingTests {
    private static func reported(
        when: [ReportedError.Condition]? = nil, unless: [ReportedError.Condition]? = nil,
        _ edit: (inout ReportedError) -> Void = { _ in }
    ) -> ReportedError {
        var reported = ReportedError()
        (reported.when, reported.unless) = (when, unless)
        edit(&reported)
        return reported
    }

    private static func condition(_ path: String, _ values: String...) throws -> ReportedError.Condition {
        .init(try #require(FieldPath(path)), values)
    }

    /// One answer of an upstream that reports its errors as `reported` says, to a client.
    private static func answer(
        _ document: String, _ reported: ReportedError, pieces: Int = .max, fields: String = "",
        _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> (answer: Message, bench: Bench) {
        let upstream = Build.upstream {
            $0.error = ErrorPaths(message: FieldPath("error.message"), code: FieldPath("error.code"))
            $0.reportedError = reported
        }
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "Int") {
            $0.parent = FieldPath("data")
            try edit(&$0)
        }
        let bench = try Bench(Build.configuration([binding], upstreams: [upstream]))
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send(FetchAnswerTests.json(document, fields), inPiecesOf: pieces)
        bench.expectQuiet()
        return (try #require(client.answers.first), bench)
    }

    @Test(
        arguments: [
            (#"{"ok": false, "data": 1}"#, "ok", ["false"], true),
            (#"{"ok": true, "data": 1}"#, "ok", ["false"], false),
            (#"{"data": 1}"#, "ok", ["false"], false), (#"{"ok": "false", "data": 1}"#, "ok", ["false"], false),
            (#"{"data": 1, "ok": false}"#, "ok", ["false"], true), (#"{"ok": false}"#, "ok", ["false"], true),
            (#"{"ok": false, "data": "x"}"#, "ok", ["false"], true),
            (#"{"data": "x", "ok": false}"#, "ok", ["false"], true),
            (#"{"st": "\u0066ail", "data": 1}"#, "st", [#""error""#, #""fail""#], true),
            (#"{"st": 1e0, "data": 1}"#, "st", ["1"], true), (#"{"st": null, "data": 1}"#, "st", ["null"], true),
            (#"{"data": 1}"#, "st", ["null"], false),
            (#"{"errors": [{}], "data": 1}"#, "errors", [], true),
            (#"{"errors": [ ], "data": 1}"#, "errors", [], false),
            (#"{"errors": {}, "data": 1}"#, "errors", [], false),
            (#"{"errors": null, "data": 1}"#, "errors", [], false),
            (#"{"errors": "", "data": 1}"#, "errors", [], false), (#"{"errors": 0.0, "data": 1}"#, "errors", [], false),
            (#"{"errors": 17, "data": 1}"#, "errors", [], true), (#"{"errors": true, "data": 1}"#, "errors", [], true),
            (#"{"errors": false, "data": 1}"#, "errors", [], false),
            (#"{"errors": "x", "data": 1}"#, "errors", [], true),
            (#"{"a": {"b": [1]}, "data": 1}"#, "a.b[0]", [], true), (#"{"a": "x", "data": 1}"#, "a.b[0]", [], false),
            (#"{"a": {"b": {}}, "data": 1}"#, "a.b[0]", [], false), (#"{"a": null, "data": 1}"#, "a.b[0]", [], false),
        ])
    func aConditionDecides(document: String, path: String, values: [String], isError: Bool) throws {
        for pieces in [1, 5, .max] {
            let condition = ReportedError.Condition(try #require(FieldPath(path)), values)
            let answer = try Self.answer(document, Self.reported(when: [condition]), pieces: pieces).answer
            #expect(answer.status == (isError ? 502 : 200), "\(answer.text)")
            #expect(answer.text.contains("urn:sluice:problem:reported-error") == isError)
            let unless = try Self.answer(document, Self.reported(unless: [condition]), pieces: pieces).answer
            #expect((unless.status == 200) == (isError && document.contains(#""data": 1"#)), "\(unless.text)")
        }
    }

    /// A key that stands twice spoils what it leads to: the message alone, or the judgement, and with it the value.
    @Test(arguments: [
        (#"{"error": {"message": "a", "message": "b"}, "ok": true, "data": 1}"#, 200, "1"),
        (#"{"data": 1, "ok": true, "error": {"code": 1}, "error": {"code": 2}}"#, 200, "1"),
        (#"{"ok": false, "error": {"message": "a", "message": "b"}, "data": 1}"#, 502, "reported-error"),
        (#"{"ok": true, "data": 1, "ok": false}"#, 502, "the key once"),
        (#"{"ok": true, "data": 1, "data": 2}"#, 502, "the key once"),
    ])
    func repeatedKeys(document: String, status: Int, text: String) throws {
        let reported = Self.reported(when: [try Self.condition("ok", "false")])
        for pieces in [1, 5, .max] {
            let answer = try Self.answer(document, reported, pieces: pieces).answer
            #expect(answer.status == status && answer.text.contains(text), "\(answer.text)")
        }
    }

    @Test func allOfTheConditionsHaveToHold() throws {
        let reported = Self.reported(when: [try Self.condition("ok", "false"), try Self.condition("fatal")])
        #expect(try Self.answer(#"{"ok": false, "data": 1}"#, reported).answer.status == 200)
        #expect(try Self.answer(#"{"ok": false, "fatal": 1, "data": 1}"#, reported).answer.status == 502)
    }

    @Test func theTextsAreRead() throws {
        let reported = Self.reported(when: [try Self.condition("ok", "false")]) {
            $0.status = 400
            $0.codes = [.init("gone", 410), .init("17", 429)]
        }
        let document = #"{"ok": false, "error": {"message": "no \u0022fig\u0022", "code": "C"}}"#
        for pieces in [1, 9, .max] {
            let answer = try Self.answer(document, reported, pieces: pieces).answer
            #expect(answer.status == 400)
            #expect(answer.text.contains(#""detail":"no \"fig\"""#) && answer.text.contains(#""code":"C""#))
            #expect(answer.text.contains(#""upstream":"fruit""#) && answer.text.contains(#""retryable":false"#))
        }
        #expect(try Self.answer(#"{"ok": false, "error": {"code": "gone"}}"#, reported).answer.status == 410)
        let quota = try Self.answer(#"{"ok": false, "error": {"code": 17}}"#, reported).answer
        #expect(quota.status == 429)
        #expect(quota.text.contains(#""retryable":true"#))
        let field = try Self.answer(#"{"ok": false}"#, reported, fields: "X-Code: gone\r\nX-Why: because\r\n") {
            $0.error = ErrorPaths(message: .header("x-why"), code: .header("X-Code"))
        }.answer
        #expect(field.status == 410)
        #expect(field.text.contains("because"))
    }

    /// What has outgrown `hold:` is on its way when the error comes: it ends without its last chunk.
    @Test func aLateErrorEndsTheStream() throws {
        let numbers = Array(repeating: "1", count: 400).joined(separator: ",")
        let reported = Self.reported(when: [try Self.condition("errors")])
        let late = try Self.answer(#"{"data": [\#(numbers)], "errors": [1]}"#, reported, pieces: 64) {
            $0.value = try Build.type("[Int]")
            $0.holdBytes = 100
        }.answer
        #expect(late.status == 200)
        #expect(!late.isComplete)
        let early = try Self.answer(#"{"errors": [1], "data": [\#(numbers)], "x": 1}"#, reported, pieces: 64) {
            $0.value = try Build.type("[Int]")
            $0.holdBytes = 100
        }.answer
        #expect(early.status == 502)
        #expect(early.isComplete)
    }

    @Test(arguments: [
        (#"{"data": 7, "errors": [1]}"#, 200), (#"{"data": null, "errors": [1]}"#, 502), ("{\"errors\": [1]}", 502),
    ])
    func dataMayBeKept(document: String, status: Int) throws {
        let reported = Self.reported(when: [try Self.condition("errors")]) { $0.keepsData = true }
        let answer = try Self.answer(document, reported) { $0.value = try Build.type("Int?") }.answer
        #expect(answer.status == status)
        if status == 200 { #expect(answer.text == "7") }
        // What is partial is not stored as if it were whole.
        let stored = try Self.answer(document, reported) { $0.cache = CachePolicy() }.answer
        #expect(stored.status == 502)
    }

    /// As an error of the same status would be.
    @Test(arguments: [(404, 200), (422, 422), (503, 200)])
    func aDefaultStandsInForIt(status: Int, answered: Int) throws {
        let reported = Self.reported(when: [try Self.condition("ok", "false")]) { $0.status = status }
        let answer = try Self.answer(#"{"ok": false}"#, reported) {
            $0.defaultJSON = "9"
            $0.serve = [.default, .error]
        }.answer
        #expect(answer.status == answered)
    }

    @Test func nothingOfItIsStored() throws {
        let reported = Self.reported(when: [try Self.condition("ok", "false")])
        let (answer, bench) = try Self.answer(#"{"ok": false, "data": 1}"#, reported) {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
            $0.serve = [.fresh, .error]
        }
        #expect(answer.status == 502)
        #expect(try bench.get("/a", answer: FetchAnswerTests.json(#"{"ok": true, "data": 2}"#)).text == "2")
        #expect(try bench.get("/a", answer: FetchAnswerTests.json(#"{"ok": true, "data": 3}"#)).text == "2")
    }

    /// Not asked for by a binding that passes its answers through.
    @Test func whatPassesIsNotLookedAt() throws {
        let reported = Self.reported(when: [try Self.condition("ok", "false")])
        let answer = try Self.answer(#"{"ok": false}"#, reported) { ($0.value, $0.parent) = (nil, nil) }.answer
        #expect(answer.status == 200)
        #expect(answer.text == #"{"ok": false}"#)
    }

    @Test func theBindingMaySwitchItOff() throws {
        let reported = Self.reported(when: [try Self.condition("ok", "false")])
        let answer = try Self.answer(#"{"ok": false, "data": 1}"#, reported) {
            $0.reportedError = Self.reported(when: [])
        }.answer
        #expect(answer.status == 200)
    }
}
