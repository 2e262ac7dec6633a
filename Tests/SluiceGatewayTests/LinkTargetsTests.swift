import SluiceContract
import Testing

@testable import SluiceGateway

/// Next pages in `Link` fields lead through the gateway (RFC 8288).
@Suite struct LinkTargetsTests {
    private static func link(_ value: String, asked: String, _ binding: Binding) throws -> String? {
        let bench = try Bench(Build.configuration([binding]))
        return try bench.get(asked, answer: "HTTP/1.1 200 OK\r\nLink: \(value)\r\nContent-Length: 2\r\n\r\n[]")["Link"]
    }

    @Test(
        arguments: [
            ("<http://fruit.example/v1/all?page=2&tok=x>; rel=\"next\"", "</fruits/a?page=2&after=x>; rel=\"next\""),
            (
                "</v1/all?tok=a%20b>; rel=next, <?page=1>; rel=first",
                "</fruits/a?after=a%20b>; rel=next, </fruits/a?page=1>; rel=first"
            ),
            ("</v1/all>; rel=first", "</fruits/a>; rel=first"),
            ("</v1/all?ids[]=1&key=s3cret>", "</fruits/a?list[]=1>"),
            ("<http://other.example/v1/all?page=2>; rel=next", "<http://other.example/v1/all?page=2>; rel=next"),
            ("</v1/other?page=2&key=s3cret>; rel=up", "</v1/other?page=2>; rel=up"),
            ("<http://other.example/?key=1>; rel=up", "<http://other.example/?key=1>; rel=up"),
            ("</v1/other?page=2>; title=\"</v1/all?x>\"", "</v1/other?page=2>; title=\"</v1/all?x>\""),
            ("</v1/all?page=1>; title=\"x, </v1/all?page=2>", "</fruits/a?page=1>; title=\"x, </fruits/a?page=2>"),
            ("</v1/all?page=2", "</v1/all?page=2"), ("</v1/all;x?page=2>", "</v1/all;x?page=2>"),
        ])
    func pagesOfOneList(value: String, local: String) throws {
        for type in [nil, "JSON"] {
            let binding = try Build.binding("GET /fruits/{x}", to: "fruit /all", value: type) {
                $0.parameters = [
                    try Build.parameter("x", "String", in: .path), try Build.parameter("after", "String?", as: "tok"),
                    try Build.parameter("page", "Int?"),
                    try Build.parameter("list", "[Int]", as: "ids", style: .brackets),
                    Parameter(
                        name: "key", location: .query, type: .scalar(.string), defaultJSON: "\"s3cret\"",
                        isFixed: true),
                ]
            }
            #expect(try Self.link(value, asked: "/fruits/a?page=1", binding) == local)
        }
    }

    @Test func whatLiesBelowAWildcard() throws {
        let binding = try Build.binding("ANY /raw/**", to: "fruit /**")
        #expect(
            try Self.link("</v1/a?p=2>; rel=next, <http://fruit.example/v2>", asked: "/raw/a", binding)
                == "</raw/a?p=2>; rel=next, <http://fruit.example/v2>")
    }
}
