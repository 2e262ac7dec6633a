import SluiceContract
import Testing

@testable import SluiceGateway

// Values that are put together from the document and the answer's head.
extension FetchAnswerTests {
    private static func field(
        _ name: String, _ type: String, _ source: FieldSource, default json: String? = nil
    ) throws -> ObjectType.Field {
        var field = ObjectType.Field(name: name, type: try Build.type(type), defaultJSON: json)
        field.source = source
        return field
    }

    private static func value() throws -> TypeExpression {
        .object(
            ObjectType(fields: [
                try field("total", "Int", .header("X-Total", relation: nil)),
                try field("next", "URL?", .header("Link", relation: "next")),
                try field("kind", "String", .header("X-Kind", relation: nil), default: "\"none\""),
                try field("code", "Int", .status),
                try field("ids", "[Int]", .path(try #require(FieldPath("data.*.id")))),
                try field("last", "Int", .path(try #require(FieldPath("more[-1].id")))),
            ]))
    }

    @Test(arguments: [
        (
            "X-Total: 12\r\nLink: <https://fruit.example/v1/a?p=2>; rel=next\r\nX-Kind: a\"b\r\n", 200,
            #"{"total":12,"next":"https://fruit.example/v1/a?p=2","kind":"a\"b","code":200,"ids":[1,2],"last":4}"#
        ),
        ("x-total: 0\r\nLink: <x>; rel=prev\r\n", 200, #"{"total":0,"kind":"none","code":200,"ids":[1,2],"last":4}"#),
        ("", 502, #""expected":"Int","found":"nothing""#), ("X-Total: 1x\r\n", 502, "header X-Total"),
        ("X-Total: 1\r\nLink: </v1/a?p=2>; rel=next\r\n", 502, "header Link rel=next"),
    ])
    func partsOfTheHead(fields: String, status: Int, text: String) throws {
        let document = #"{"data":[{"id":1},{"id":2}],"more":[{"id":3},{"id":4}]}"#
        for (pieces, hold) in [(1, 1 << 20), (7, 1 << 20), (Int.max, 1 << 20), (7, 10), (.max, 0)] {
            let bench = try Bench(
                Build.configuration([
                    try Build.binding("GET /a", to: "fruit /a") {
                        $0.value = try Self.value()
                        $0.holdBytes = hold
                    }
                ]))
            let client = bench.client()
            client.request("GET", "/a")
            try bench.origin().send(Self.json(document, fields), inPiecesOf: pieces)
            let answer = try #require(client.answers.first)
            #expect(answer.status == status)
            #expect(status == 200 ? answer.text == text : answer.text.contains(text), "\(answer.text)")
            // What was said of one answer is not said of the next.
            client.request("GET", "/a")
            try bench.origin().send(Self.json(document, "X-Total: 5\r\n"), inPiecesOf: pieces)
            #expect(client.answers.last?.text == #"{"total":5,"kind":"none","code":200,"ids":[1,2],"last":4}"#)
        }
    }

    /// As a missing value is told of, with the path as it was written.
    @Test(arguments: [#"{"items":[]}"#, #"{"items":[{"kind":"y","id":1}]}"#, "{}"])
    func anElementIsMissing(document: String) throws {
        let bench = try Bench(
            Build.configuration([
                try Build.binding("GET /a", to: "fruit /a", value: "Int") {
                    $0.parent = FieldPath(#"items[?kind=="x"].id"#)
                }
            ]))
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().answer(json: document)
        #expect(client.answers.first?.status == 502)
        #expect(client.answers.first?.text.contains("missing-value") == true)
        #expect(client.answers.first?.text.contains(#"$.items[?kind==\"x\"].id"#) == true)
    }
}
