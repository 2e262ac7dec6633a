import Testing

@testable import SluiceHTTP

@Suite struct StatusReasonTests {
    @Test(arguments: [
        (100, "Continue"), (199, "Informational"), (207, "Multi-Status"), (299, "Success"), (304, "Not Modified"),
        (399, "Redirection"), (431, "Request Header Fields Too Large"), (499, "Client Error"), (502, "Bad Gateway"),
        (599, "Server Error"), (0, "Unknown"),
    ])
    func phrases(_ status: Int, _ phrase: String) {
        #expect(String(describing: StatusReason.phrase(for: status)) == phrase)
    }
}
