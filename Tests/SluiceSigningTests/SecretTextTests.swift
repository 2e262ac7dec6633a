import SluiceSigning
import Testing

@Suite struct SecretTextTests {
    @Test func givesItsTextBack() {
        for text in ["", "abc", "größer"] { #expect(SecretText(text).text == text) }
    }

    @Test func equalTextsAreEqual() {
        #expect(SecretText("one") == SecretText("one") && SecretText("one") != SecretText("two"))
        #expect(Set([SecretText("one"), SecretText("one"), SecretText("two")]).count == 2)
    }

    @Test func showsNothing() {
        #expect("\(SecretText("abc"))" == "3 secret bytes")
        #expect(String(reflecting: SecretText("abc")) == "3 secret bytes")
    }
}
