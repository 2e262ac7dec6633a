import SluiceContract
import Testing

@testable import SluiceGateway

/// Texts of errors that stand elsewhere than in JSON, and statuses that are told in another way.
@Suite struct ErrorBodyTests {
    @Test(
        arguments: [
            ("xml Message", "<?xml version='1.0'?><Error><Code>A</Code><Message>no fig</Message></Error>", "no fig"),
            ("xml Code", "<s:Error xmlns:s='x'><s:Code a='>' b='/'> A1 </s:Code></s:Error>", "A1"),
            ("xml Code", "<Code a='/>'>A1</Code>", "A1"), ("xml Code", "<Code a='>A1</Code>", nil),
            ("xml Code", "<s:Error xmlns:s='x'><s:Code a='b'> A1 </s:Code></s:Error>", "A1"),
            ("xml M", "<a><!-- <M>x</M> --><![CDATA[<M>y</M>]]><M>a &lt; b &amp; &#233;&#x41;</M></a>", "a < b & éA"),
            ("xml M", "<a><M><![CDATA[<b>]]> c</M></a>", "<b> c"),
            ("xml M", "<!DOCTYPE a [<!ENTITY x 'y'>]><a><M>&x;</M></a>", nil), ("xml M", "<a><M><b/></M></a>", nil),
            ("xml M", "<a><M>open", nil), ("xml M", "<a><Message>x</Message></a>", nil), ("xml M", "<a><M/></a>", ""),
            ("xml M", "<a><M>&#xD800;</M></a>", nil), ("xml M", #"{"M": "x"}"#, nil), ("xml M", "", nil),
            ("first line", "\n  no such fruit  \r\nat line 3\n", "no such fruit"),
            ("first line", "<html>no</html>", nil),
            ("first line", #"{"a": 1}"#, nil), ("first line", "", nil), ("first line", "a\u{1}b", nil),
            ("header X-Error", "", "from the head"), ("header X-Other", "", nil),
            ("error.message", #"{"error": {"message": "m"}}"#, "m"), (#"$."first line""#, #"{"first line": "m"}"#, "m"),
        ] as [(String, String, String?)])
    func findsTheText(notation: String, body: String, expected: String?) throws {
        let text = try ErrorText(notation: notation) ?? .path(#require(FieldPath(notation)))
        #expect(ErrorText(notation: text.description) ?? FieldPath(text.description).map { .path($0) } == text)
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "Int") {
            $0.error = ErrorPaths(message: text, code: text)
        }
        let bench = try Bench(Build.configuration([binding]))
        let answer = try bench.get(
            "/a",
            answer: "HTTP/1.1 500 X\r\nX-Error: from the head\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.status == 500)
        func says(_ name: String, _ text: String) -> Bool { answer.text.contains("\"\(name)\":\"\(text)\"") }
        let usual = "'fruit' answered with status 500."
        #expect(says("detail", expected.flatMap { $0.isEmpty ? nil : $0 } ?? usual), "\(answer.text)")
        #expect(expected.map { says("code", $0) } ?? !answer.text.contains("\"code\""), "\(answer.text)")
    }

    @Test func aLongTextIsCut() throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "Int") {
            $0.error = ErrorPaths(message: .firstLine, code: nil)
        }
        let body = String(repeating: "x", count: 100_000)
        let answer = try Bench(Build.configuration([binding])).get(
            "/a", answer: "HTTP/1.1 500 X\r\nContent-Length: 100000\r\n\r\n\(body)")
        #expect(answer.text.utf8.count < 2000)
        #expect(answer.text.contains("xxxx"))
    }

    @Test(arguments: [(404, 410), (422, 400), (409, 409)])
    func statusesAreRenumbered(upstream: Int, status: Int) throws {
        let binding = try Build.binding("GET /a", to: "fruit /a", value: "Int") {
            $0.errorByStatus = [
                404: ErrorPaths(message: nil, code: nil, status: 410),
                422: ErrorPaths(message: .path(try #require(FieldPath("detail"))), code: nil, status: 400),
            ]
        }
        let body = #"{"detail": "why"}"#
        let answer = try Bench(Build.configuration([binding])).get(
            "/a", answer: "HTTP/1.1 \(upstream) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.status == status)
        #expect(answer.text.contains("\"status\":\(status)"))
        #expect(answer.text.contains(upstream == 422 ? "why" : "answered with status \(upstream)"))
    }
}
