import Testing

@testable import SluiceHTTP

@Suite struct FieldAliasTests {
    @Test(arguments: [
        ("Content_Length", true), ("transfer_encoding", true), ("X_Forwarded-For", true), ("X_REAL_IP", true),
        ("Content-Length", false), ("ContentLength", false), ("X_Api_Key", false), ("_", false), ("a_b", false),
        (String(repeating: "_", count: 99), false),
    ])
    func finds(_ name: String, _ isAlias: Bool) {
        #expect(name.withBytes { FieldAlias.isAlias($0) } == isAlias)
    }

    @Test func isNotForwarded() {
        var server = Server()
        #expect(
            server.feed("GET / HTTP/1.1\r\nHost: a\r\nContent_Length: 5\r\nX_y: 1\r\n\r\n") == [
                "request", "end", "needMore",
            ])
        let lines = server.head.fields.lines
        #expect(lines == ["Host: a", "*Content_Length: 5", "X_y: 1"])
    }
}
