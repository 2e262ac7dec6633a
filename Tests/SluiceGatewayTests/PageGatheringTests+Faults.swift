import SluiceContract
import Testing

@testable import SluiceGateway

// What is no page, and what does not say which page follows.
extension PageGatheringTests {
    private static let failure = #"{"error": "none"}"#

    private static func withTypedFailure(hold: Int) throws -> Bench {
        try bench(cursor()) {
            $0.valueByStatus = [404: .object(try Build.object(["error": "String"]))]
            $0.holdBytes = hold
        }
    }

    @Test(arguments: [1 << 20, 5, 0])
    func anErrorWithATypeIsNoPage(hold: Int) throws {
        let bench = try Self.withTypedFailure(hold: hold)
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send(FetchAnswerTests.json(Self.failure, status: 404))
        bench.expectQuiet()
        let answer = try #require(client.answers.first)
        #expect(answer.status == 404 && answer.isComplete)
        #expect(answer.text == Self.failure)
    }

    @Test(arguments: [1 << 20, 5, 0])
    func aLateErrorWithATypeCutsTheAnswer(hold: Int) throws {
        let bench = try Self.withTypedFailure(hold: hold)
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().answer(json: #"{"v": [1], "m": {"next": "b"}}"#)
        try bench.origin().send(FetchAnswerTests.json(Self.failure, status: 404))
        bench.expectQuiet()
        let answer = try #require(client.answers.first)
        #expect(answer.status == 200 && !answer.isComplete)
        #expect(answer.text == "[1")
    }

    @Test func aStatusMayHaveItsOwnTypeOfPage() throws {
        let bench = try Self.bench(Self.cursor()) { $0.valueByStatus = [203: .array(.scalar(.double))] }
        let client = bench.client()
        client.request("GET", "/a")
        try bench.origin().send(FetchAnswerTests.json(#"{"v": [0.5], "m": {"next": "b"}}"#, status: 203))
        try bench.origin().answer(json: #"{"v": [2]}"#)
        bench.expectQuiet()
        #expect(client.answers.first?.text == "[0.5,2]")
        #expect(client.answers.first?.isComplete == true)
    }

    /// A comma or a semicolon in a target ends no link.
    @Test func targetsOfLinksHaveCommas() throws {
        let next = "Link: </v1/a?fields=id,name&page=2>; rel=\"next\"\r\n"
        let (answer, targets) = try Self.gather(
            Self.bench(.link), pages: [(next, #"{"v": [1]}"#), ("", #"{"v": [2]}"#)])
        #expect(answer.text == "[1,2]" && answer.isComplete)
        #expect(targets == ["/v1/a", "/v1/a?fields=id,name&page=2"])
    }

    /// Nothing where an optional value may be is a page without items.
    @Test(arguments: ["{}", #"{"v": null}"#, #"{"v": []}"#])
    func anAbsentValueIsAnEmptyPage(last: String) throws {
        for way in [PagePolicy.Way.page(parameter: "p"), .offset(parameter: "s", step: 1)] {
            let edit: (inout Binding) throws -> Void = { $0.value = try Build.type("[Int]?") }
            let (none, _) = try Self.gather(Self.bench(way, edit), last)
            #expect(none.text == "[]" && none.isComplete)
            let (answer, targets) = try Self.gather(Self.bench(way, edit), #"{"v": [1]}"#, last)
            #expect(answer.text == "[1]" && answer.isComplete)
            #expect(targets.count == 2)
        }
    }

    // MARK: - What cannot be read

    private static func refusal(
        _ way: PagePolicy.Way, pieces: Int = .max, _ page: String,
        _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> String? {
        let (answer, targets) = try gather(bench(way, edit), pieces: pieces, page)
        #expect(targets.count == 1)
        #expect(answer.status == 502)
        return answer.text.contains("bad-page") ? answer.text : nil
    }

    /// A list that may go on is not taken for a whole one.
    @Test(arguments: [
        (#"{"v": [1], "m": 7}"#, "'cursor:' wants of page 1 cannot be read: expected object at '$.m'"),
        (#"{"v": [1], "m": {"next": ["b"]}}"#, "'cursor:' wants of page 1 is an array or an object"),
        (#"{"v": [1], "m": {"next": {}}}"#, "'cursor:' wants of page 1 is an array or an object"),
        (
            #"{"v": [1], "m": {"next": "\#(String(repeating: "b", count: 17 << 10))"}}"#,
            "'cursor:' wants of page 1 is longer than 16384 bytes"
        ),
    ])
    func aCursorIsAText(page: String, detail: String) throws {
        let refusal = try #require(try Self.refusal(Self.cursor(), page))
        #expect(refusal.contains(detail), "\(refusal)")
    }

    /// Elements that are chosen are held up to `limits: json-choice`, and looked at alone.
    @Test(arguments: [
        #"{"v": [{"id": "a", "x": "\#(String(repeating: "x", count: 70 << 10))"}]}"#,
        #"{"v": [{"id": "a", "id": "b"}]}"#, #"{"v": [7]}"#,
    ])
    func theLastItemIsNoCursor(page: String) throws {
        let last = try #require(FieldPath("v[-1].id"))
        let refusal = try #require(
            try Self.refusal(.cursor(last, parameter: "c"), pieces: 1000, page) {
                $0.value = .array(.scalar(.json))
            })
        #expect(refusal.contains("'cursor:' wants of page 1 cannot be read"), "\(refusal)")
    }

    @Test(arguments: [("7", "is no URL"), ("false", "is no URL"), ("[]", "is an array or an object")])
    func aURLIsAString(found: String, reason: String) throws {
        let way = PagePolicy.Way.url(try #require(FieldPath("n")))
        let refusal = try #require(try Self.refusal(way, #"{"v": [1], "n": \#(found)}"#))
        #expect(refusal.contains("'next:' wants of page 1 \(reason)"), "\(refusal)")
    }

    @Test func whetherMoreFollowsIsRead() throws {
        let refusal = try #require(
            try Self.refusal(Self.cursor(), #"{"v": [1], "h": 7}"#) {
                $0.pages?.ending = FieldPath("h.more").map { .more($0) }
            })
        #expect(refusal.contains("'more:' wants of page 1 cannot be read"), "\(refusal)")
    }
}
