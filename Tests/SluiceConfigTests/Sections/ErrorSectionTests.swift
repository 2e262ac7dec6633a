import SluiceContract
import Testing

@testable import SluiceConfig

@Suite struct ErrorSectionTests {
    private static func upstream(_ error: String) throws -> Upstream {
        let bench = Bench("upstreams:\n  a:\n    url: http://127.0.0.1\n    error: \(error)\n")
        return try #require(bench.configuration().upstreams.first)
    }

    private static func condition(_ path: String, _ values: String...) throws -> ReportedError.Condition {
        .init(try #require(FieldPath(path)), values)
    }

    @Test func readsConditions() throws {
        #expect(try Self.upstream("{when: errors}").reportedError.when == [Self.condition("errors")])
        let several = try Self.upstream("{when: {ok: false, a.b: [x, 'true', 1]}, status: 422, keep-data: true}")
        #expect(
            try several.reportedError.when == [
                Self.condition("ok", "false"), Self.condition("a.b", "\"x\"", "\"true\"", "1"),
            ])
        #expect(several.reportedError.status == 422)
        #expect(several.reportedError.keepsData == true)
        #expect(
            try Self.upstream("{unless: {status: OK}}").reportedError.unless == [Self.condition("status", "\"OK\"")])
        #expect(try Self.upstream("{when: false}").reportedError.isActive == false)
        #expect(
            try Self.upstream("{when: e, code: e, codes: {not_found: 404, 17: 429}}").reportedError.codes
                == [.init("not_found", 404), .init("17", 429)])
    }

    @Test func readsTextsAndStatuses() throws {
        let upstream = try Self.upstream(
            "{message: xml Message, code: header X-Code, 404: 410, 422: {status: 400, message: first line}}")
        #expect(upstream.error == ErrorPaths(message: .element("Message"), code: .header("X-Code")))
        #expect(
            upstream.errorByStatus == [
                404: ErrorPaths(message: .element("Message"), code: .header("X-Code"), status: 410),
                422: ErrorPaths(message: .firstLine, code: .header("X-Code"), status: 400),
            ])
    }

    @Test(arguments: [
        ("{200: 404}", "200 is no error"), ("{404: 200}", "200 is no error"), ("{404: 700}", "700 is no error"),
        ("{when: [a, b]}", "a list where a condition is wanted"),
        ("{when: {}}", "a condition without a path never holds"), ("{when: a.*}", "'*' in 'a.*' yields many values"),
        ("{when: {ok: {a: 1}}}", "a mapping where a value is wanted"),
        ("{unless: {a?: 1}}", "'?' in 'a?' says nothing here"), ("{when: a, status: 302}", "302 is no error"),
        ("{when: a, status: no}", "the text 'no' where a number is wanted"),
        ("{when: a, codes: {x: 404}}", "nothing says where the API keeps its codes"),
        ("{when: a, code: first line, codes: {x: 404}}", "'first line' is not found in JSON"),
        ("{when: a, code: c, codes: {x: 99}}", "99 is no error"),
        ("{message: xml <M>}", "'<M>' is no name of an element"),
        ("{message: header a b}", "'a b' is no field name"), ("{if: {ok: false}}", "unknown key 'if'"),
        ("{when: {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1}}", "9 conditions are too many"),
    ])
    func refuses(_ error: String, _ message: String) {
        let mistakes = Bench("upstreams:\n  a:\n    url: http://127.0.0.1\n    error: \(error)\n").mistakes
        #expect(mistakes.contains { $0.contains(message) }, "\(mistakes)")
    }

    @Test(arguments: [
        (
            "GET /a: {to: fruit /a, error: {when: errors}}",
            "'when' looks into JSON, and this binding passes its answers through"
        ),
        (
            "GET /a: {to: fruit /a, value: Int, cache: {}, error: {when: errors, keep-data: true}}",
            "a value beside an error would be stored as if it were whole"
        ),
    ])
    func refusesWhatNeverHappens(_ binding: String, _ message: String) {
        let mistakes = fruit(binding).mistakes
        #expect(mistakes.contains { $0.contains(message) })
    }

    /// What a binding says, it says on top of its upstream; and the explained page is read as the same.
    @Test func explainedPagesLoadAgain() throws {
        let bench = fruit(
            """
            GET /a: {to: fruit /a, value: Int}
            GET /b: {to: fruit /b, value: Int, error: {status: 409}}
            GET /c: {to: fruit /c, value: Int, error: {when: false}}
            GET /d: {to: fruit /d, value: Int, error: {unless: {s: [OK, 1, null]}, codes: {a b: 404}, 404: 410}}
            """, upstream: "error: {when: {ok: false}, code: header X, message: '$.\"first line\"', 500: 503}")
        let configuration = bench.configuration()
        #expect(configuration.bindings[1].reportedError?.status == 409)
        #expect(try configuration.bindings[1].reportedError?.when == [Self.condition("ok", "false")])
        #expect(configuration.bindings[2].reportedError?.isActive == false)
        #expect(Bench(Explain.yaml(configuration)).configuration() == configuration)
    }
}
