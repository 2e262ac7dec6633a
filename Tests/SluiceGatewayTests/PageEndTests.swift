import SluiceContract
import Testing

@testable import SluiceGateway

/// What a page says of the end of its list.
@Suite struct PageEndTests {
    private static func gather(
        _ way: PagePolicy.Way, _ ending: PagePolicy.Ending, asking target: String = "/a", hold: Int = 1 << 20,
        _ bodies: String...
    ) throws -> (answer: Message, targets: [String]) {
        let bench = try PageGatheringTests.bench(way) {
            $0.pages?.ending = ending
            $0.value = .array(.scalar(.json))
            $0.holdBytes = hold
        }
        return try PageGatheringTests.gather(bench, asking: target, pages: bodies.map { ("", $0) })
    }

    private static func path(_ text: String) throws -> FieldPath { try #require(FieldPath(text)) }

    @Test(arguments: ["true", "1", #""yes""#])
    func thisIsTheLast(word: String) throws {
        let (answer, targets) = try Self.gather(
            .offset(parameter: "s", step: 1), .last(Self.path("isLast")), #"{"v": [1], "isLast": false}"#,
            #"{"v": [2]}"#, #"{"v": [3], "isLast": \#(word)}"#)
        #expect(answer.text == "[1,2,3]" && answer.isComplete)
        #expect(targets == ["/v1/a", "/v1/a?s=1", "/v1/a?s=2"])
    }

    /// Items that have come are counted, so that it does not matter how many a page has.
    @Test(arguments: [1 << 20, 0])
    func itemsInAll(hold: Int) throws {
        let (answer, targets) = try Self.gather(
            .page(parameter: "p"), .total(Self.path("total")), hold: hold, #"{"v": [1, [2, 3]], "total": 3}"#,
            #"{"total": 3, "v": [4]}"#)
        #expect(answer.text == "[1, [2, 3],4]" && answer.isComplete)
        #expect(targets == ["/v1/a", "/v1/a?p=2"])
    }

    /// A cursor that is still there behind the last page is not asked for.
    @Test(arguments: [1 << 20, 0])
    func itemsInAllWithACursor(hold: Int) throws {
        let (answer, targets) = try Self.gather(
            PageGatheringTests.cursor(), .total(Self.path("total")), hold: hold,
            #"{"v": [1, 2], "total": 3, "m": {"next": "b"}}"#, #"{"v": [3], "total": 3, "m": {"next": "b"}}"#)
        #expect(answer.text == "[1, 2,3]" && answer.isComplete)
        #expect(targets == ["/v1/a", "/v1/a?c=b"])
    }

    /// What stands before the offset that the client begins at has not to come.
    @Test(arguments: ["7", "7.0", #""7""#])
    func itemsFromAnOffset(total: String) throws {
        let (answer, targets) = try Self.gather(
            .offset(parameter: "s", step: 2), .total(Self.path("total")), asking: "/a?s=4",
            #"{"v": [5, 6], "total": \#(total)}"#, #"{"v": [7], "total": \#(total)}"#)
        #expect(answer.text == "[5, 6,7]" && answer.isComplete)
        #expect(targets == ["/v1/a?s=4", "/v1/a?s=6"])
    }

    @Test(arguments: [
        ("/a", ["/v1/a", "/v1/a?p=2"]), ("/a?p=0", ["/v1/a?p=0", "/v1/a?p=1"]), ("/a?p=1", ["/v1/a?p=1", "/v1/a?p=2"]),
    ])
    func pagesInAll(asked: String, targets: [String]) throws {
        let (answer, found) = try Self.gather(
            .page(parameter: "p"), .totalPages(Self.path("pages")), asking: asked, #"{"v": [1], "pages": 2}"#,
            #"{"v": [2], "pages": 2}"#)
        #expect(answer.text == "[1,2]" && answer.isComplete)
        #expect(found == targets)
    }

    @Test func pagesBehindTheFirst() throws {
        let (answer, targets) = try Self.gather(
            .page(parameter: "p"), .totalPages(Self.path("pages")), asking: "/a?p=2", #"{"v": [1], "pages": 2}"#)
        #expect(answer.text == "[1]" && targets.count == 1)
    }

    /// A number that nobody tells is no end, and none that is too large keeps a list from ending.
    @Test func anEmptyPageEndsTheListAsWell() throws {
        let (answer, targets) = try Self.gather(
            .page(parameter: "p"), .total(Self.path("total")), #"{"v": [1]}"#, #"{"v": [2], "total": null}"#,
            #"{"v": [], "total": 9}"#)
        #expect(answer.text == "[1,2]" && answer.isComplete)
        #expect(targets.count == 3)
    }

    @Test(arguments: [(#""many""#, "is no number"), ("true", "is no number"), ("[3]", "is an array"), ("-1", "is no")])
    func aTotalIsANumber(total: String, reason: String) throws {
        let (answer, _) = try Self.gather(
            .page(parameter: "p"), .total(Self.path("total")), #"{"v": [1], "total": \#(total)}"#)
        #expect(answer.status == 502)
        #expect(answer.text.contains("'total:' wants of page 1 \(reason)"), "\(answer.text)")
    }

    @Test func moreWithoutACursorIsNoEnd() throws {
        let (answer, targets) = try Self.gather(
            PageGatheringTests.cursor(), .more(Self.path("h")), #"{"v": [1], "h": true, "m": {"next": null}}"#)
        #expect(answer.status == 502 && targets.count == 1)
        #expect(answer.text.contains("'cursor:' wants of page 1 is not there"), "\(answer.text)")
    }

    @Test func whatSaysItIsRead() throws {
        let (answer, _) = try Self.gather(
            .page(parameter: "p"), .last(Self.path("m.last")), #"{"v": [1], "m": 7}"#)
        #expect(answer.text.contains("'last:' wants of page 1 cannot be read"), "\(answer.text)")
    }
}
