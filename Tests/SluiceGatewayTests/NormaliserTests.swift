import SluiceContract
import Testing

@testable import SluiceGateway

/// The one place where a problem becomes bytes.
@Suite struct NormaliserTests {
    static func text(_ problem: Problem, _ envelope: Envelope = .problemDetails) -> String {
        String(decoding: Normaliser(envelope).bytes(of: problem), as: UTF8.self)
    }

    static let problem: Problem = {
        var problem = Problem(.typeMismatch, detail: "It says \"x\"\n\u{1}.")
        problem.faults = [
            Problem.Fault(name: "$.a", location: "response", expected: "Int", found: "'x'", offset: 7, hint: "look")
        ]
        problem.upstream = "fruit"
        problem.upstreamCode = "E\\1"
        return problem
    }()

    /// RFC 9457 §3.1, with the members of DESIGN §8.
    @Test func problemDetails() {
        let text = Self.text(Self.problem)
        for member in [
            #""type":"urn:sluice:problem:type-mismatch""#, #""title":"The upstream's answer"#, #""status":502"#,
            #""detail":"It says \"x\"\n\u0001.""#, #""source":"upstream""#, #""upstream":"fruit""#, #""code":"E\\1""#,
            #""retryable":false"#,
            #""faults":[{"name":"$.a","in":"response","expected":"Int","found":"'x'","offset":7,"hint":"look"}]"#,
        ] { #expect(text.contains(member), "\(text)") }
        #expect(text.hasSuffix("}\n"))
    }

    /// A trace that the problem is a part of, where there is one.
    @Test func theTraceIsNamed() {
        let trace = TraceID(high: 1, low: 2)
        func text(_ envelope: Envelope, _ trace: TraceID?) -> String {
            String(decoding: Normaliser(envelope).bytes(of: Self.problem, in: trace), as: UTF8.self)
        }
        let member = #""retryable":false,"trace_id":"00000000000000010000000000000002""#
        #expect(text(.problemDetails, trace).contains(member))
        #expect(!text(.problemDetails, nil).contains("trace_id"))
        #expect(text(.template(.string("{trace_id}")), trace) == "\"\(trace)\"\n")
        #expect(text(.template(.string("{trace_id}")), nil) == "null\n")
        #expect(text(.template(.string("in {trace_id}")), nil) == "\"in \"\n")
    }

    @Test func whatIsNotKnownIsLeftOut() {
        let text = Self.text(Problem(.unknownRoute, detail: "x"))
        for name in ["upstream", "code", "faults"] { #expect(!text.contains("\"\(name)\"")) }
    }

    /// Placeholders alone take the JSON type of their value; in a text they are text.
    @Test(
        arguments: [
            ("{status}", "502"), ("{retryable}", "false"), ("s {status}!", #""s 502!""#), ("{code}", #""E\\1""#),
            ("{kind}", #""type-mismatch""#), ("{unknown}", #""{unknown}""#), ("{detail", #""{detail""#),
            ("{upstream}/{source}", #""fruit/upstream""#), ("", #""""#),
        ])
    func templates(string: String, json: String) {
        #expect(Self.text(Self.problem, .template(.string(string))) == json + "\n")
    }

    @Test func templatesNest() {
        let template = Envelope.Template.object([
            .init(key: "ok", value: .literal("false")),
            .init(
                key: "errors", value: .array([.object([.init(key: "why", value: .string("{title}"))]), .literal("1")])),
            .init(key: "code", value: .string("{code}")), .init(key: "where", value: .string("{upstream}")),
        ])
        let problem = Problem(.unknownRoute, detail: "x")
        #expect(
            Self.text(problem, .template(template))
                == #"{"ok":false,"errors":[{"why":"No binding for this path"},1],"code":null,"where":null}"# + "\n")
    }

    @Test func aTemplateIsWhatEveryProblemLooksLike() throws {
        let bench = try Bench(
            Build.configuration([try Build.binding("GET /a", to: "fruit /a")]) {
                $0.envelope = .template(.object([.init(key: "e", value: .string("{kind}"))]))
            })
        let answer = try bench.get("/b")
        #expect(answer.text == #"{"e":"unknown-route"}"# + "\n")
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["Date"] != nil)
        let refused = try bench.exchange("GET  /b HTTP/1.1\r\n\r\n")
        #expect(refused.text == #"{"e":"bad-request"}"# + "\n")
    }

    /// DESIGN §8: no error message ever holds a token.
    @Test func noProblemHoldsAToken() throws {
        let upstream = Build.upstream { $0.bearer = .value("x") }
        let bench = try Bench(
            Build.configuration(
                [try Build.binding("GET /a", to: "fruit /a", value: "Int")], upstreams: [upstream]),
            tokens: ["fruit": "s3cret"])
        let head = "GET /a HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer my-own\r\n\r\n"
        for answer in [
            "junk\r\n\r\n", "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
        ] {
            let text = try bench.exchange(head, answer: answer).text
            #expect(!text.contains("s3cret") && !text.contains("my-own"))
        }
    }
}
