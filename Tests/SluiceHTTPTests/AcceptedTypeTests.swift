import SluiceHTTP
import Testing

@Suite struct AcceptedTypeTests {
    /// RFC 9110 §12.5.1; of equals the first counts.
    @Test(arguments: [
        (["text/event-stream"], true), (["Text/Event-Stream; q=0.5"], true),
        (["application/json, text/event-stream"], false), (["text/event-stream, application/json"], true),
        (["application/json;q=0.9, text/event-stream"], true), (["text/event-stream;q=0.9, */*"], false),
        (["text/event-stream;q=0"], false), (["text/event-stream;q="], false), (["*/*"], false), (["text/*"], false),
        ([""], false), ([], false), (["application/json;q=0.1", "text/event-stream;q=0.2"], true),
        (["text/event-stream;charset=utf-8;q=1, text/html;q=0.9"], true),
        ([#"text/html;x="text/event-stream, ";q=0.1, text/event-stream;q=0.05"#], false),
    ])
    func theTypeThatIsLikedBest(_ values: [String], _ isFirst: Bool) {
        var fields = HeaderBlock()
        for value in values { fields.append(.accept, text: value) }
        let found = AcceptedType.isFirst("text/event-stream", in: fields)
        #expect(found == isFirst)
    }
}
