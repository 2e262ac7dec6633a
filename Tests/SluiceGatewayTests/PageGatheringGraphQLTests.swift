import SluiceContract
import Testing

@testable import SluiceGateway

/// Pages of a list that an API of GraphQL has.
@Suite struct PageGatheringGraphQLTests {
    private static let query = "query($n: Int, $after: String) { a }"

    private static func bench(
        _ way: PagePolicy.Way, to target: String = "fruit POST /g", _ edit: (inout Binding) throws -> Void = { _ in }
    ) throws -> Bench {
        let binding = try Build.binding("GET /a", to: target, value: "[Int]") {
            $0.graphQL = .query(query)
            $0.body = .none
            $0.parent = FieldPath("a.nodes")
            $0.pages = PagePolicy(way)
            $0.pages?.ending = .more(try #require(FieldPath("a.pageInfo.hasNextPage")))
            $0.parameters = [try Build.parameter("n", "Int?")]
            try edit(&$0)
        }
        return try Bench(Build.configuration([binding]))
    }

    private static func relay() throws -> PagePolicy.Way {
        .cursor(try #require(FieldPath("a.pageInfo.endCursor")), parameter: "after")
    }

    private static func page(_ nodes: String, end cursor: String, more: Bool) -> String {
        FetchAnswerTests.json(
            #"{"data": {"a": {"pageInfo": {"endCursor": \#(cursor), "hasNextPage": \#(more)}, "nodes": \#(nodes)}}}"#)
    }

    /// - Returns: the answer, and the variables of all requests.
    private static func gather(
        _ bench: Bench, asking target: String = "/a", _ pages: String...
    ) throws -> (answer: Message, variables: [String]) {
        let client = bench.client()
        client.request("GET", target)
        for page in pages { try bench.origin().send(page) }
        bench.expectQuiet()
        let requests = bench.origins.flatMap(\.requests)
        #expect(requests.allSatisfy { $0.target == "/v1/g" && $0.method == "POST" })
        #expect(
            requests.allSatisfy { $0["Content-Length"] == "\($0.bodyCount)" && $0.values("Content-Type").count == 1 })
        let opening = #"{"query":"query($n: Int, $after: String) { a }","variables":"#
        return (
            try #require(client.answers.first), requests.map { String($0.text.dropFirst(opening.count).dropLast()) }
        )
    }

    @Test func connectionsAreFollowed() throws {
        let (answer, variables) = try Self.gather(
            Self.bench(Self.relay()), asking: "/a?n=2", Self.page("[1, 2]", end: #""x\"/=""#, more: true),
            Self.page("[]", end: "7", more: true), Self.page("[3]", end: #""z""#, more: false))
        #expect(answer.text == "[1, 2,3]" && answer.isComplete)
        #expect(variables == [#"{"n":2}"#, #"{"n":2,"after":"x\"/="}"#, #"{"n":2,"after":7}"#])
    }

    /// A client may begin anywhere.
    @Test func aParameterIsTheFirstCursor() throws {
        let bench = try Self.bench(Self.relay()) {
            $0.parameters.append(try Build.parameter("from", "String?", as: "after"))
        }
        let (answer, variables) = try Self.gather(
            bench, asking: "/a?from=w", Self.page("[1]", end: #""x""#, more: true),
            Self.page("[2]", end: "null", more: false))
        #expect(answer.text == "[1,2]")
        #expect(variables == [#"{"after":"w"}"#, #"{"after":"x"}"#])
    }

    @Test func offsetsAreVariables() throws {
        let bench = try Self.bench(.offset(parameter: "skip", step: 2)) {
            $0.pages?.ending = nil
            $0.parameters.append(try Build.parameter("skip", "Int?"))
        }
        let (answer, variables) = try Self.gather(
            bench, asking: "/a?skip=10", Self.page("[1, 2]", end: "null", more: false),
            Self.page("[]", end: "null", more: false))
        #expect(answer.text == "[1, 2]" && answer.isComplete)
        #expect(variables == [#"{"skip":10}"#, #"{"skip":12}"#])
    }

    @Test func theSameCursorTwiceIsAFailure() throws {
        let (answer, variables) = try Self.gather(
            Self.bench(Self.relay()), Self.page("[1]", end: #""x""#, more: true),
            Self.page("[2]", end: #""x""#, more: true))
        #expect(!answer.isComplete && variables.count == 2)
    }

    @Test func aLateErrorCutsTheAnswer() throws {
        let (answer, _) = try Self.gather(
            Self.bench(Self.relay()), Self.page("[1]", end: #""x""#, more: true),
            FetchAnswerTests.json(#"{"data": null, "errors": [{"message": "no"}]}"#))
        #expect(answer.status == 200 && !answer.isComplete)
    }

    @Test func whatIsGatheredIsStored() throws {
        let bench = try Self.bench(Self.relay()) {
            $0.cache = CachePolicy()
            $0.cache?.fresh = .seconds(60)
        }
        let (answer, variables) = try Self.gather(
            bench, Self.page("[1]", end: #""x""#, more: true), Self.page("[2]", end: "null", more: false))
        #expect(answer.text == "[1,2]" && variables == ["{}", #"{"after":"x"}"#])
        #expect(try bench.get("/a").text == "[1,2]")
    }

    @Test func pagesByGET() throws {
        let bench = try Self.bench(Self.relay(), to: "fruit GET /g")
        let client = bench.client()
        client.request("GET", "/a?n=2")
        try bench.origin().send(Self.page("[1]", end: #""x""#, more: true))
        try bench.origin().send(Self.page("[2]", end: "null", more: false))
        #expect(client.answers.first?.text == "[1,2]")
        let query = "/v1/g?query=query%28%24n%3A%20Int%2C%20%24after%3A%20String%29%20%7B%20a%20%7D"
        #expect(
            bench.origins.flatMap(\.requests).map(\.target) == [
                query + "&variables=%7B%22n%22%3A2%7D",
                query + "&variables=%7B%22n%22%3A2%2C%22after%22%3A%22x%22%7D",
            ])
    }
}
