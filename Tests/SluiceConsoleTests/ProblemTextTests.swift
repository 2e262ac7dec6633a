import SluiceConsole
import SluiceContract
import Testing

@Suite struct ProblemTextTests {
    @Test func isAnEnvelopeLikeAllOthers() {
        let text = String(decoding: ProblemText.bytes(Problem(.crossOrigin, detail: "No \"page\".")), as: UTF8.self)
        #expect(
            text == #"{"type":"urn:sluice:problem:cross-origin","title":"Cross-origin request refused","status":403,"#
                + #""detail":"No \"page\".","source":"client","retryable":false}"# + "\n")
    }
}
