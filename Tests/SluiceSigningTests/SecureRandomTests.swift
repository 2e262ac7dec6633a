import SluiceSigning
import Testing

@Suite struct SecureRandomTests {
    @Test func differs() {
        #expect(Set((0..<100).map { _ in SecureRandom.bytes(16) }).count == 100)
        #expect(SecureRandom.text().count == 22)
        #expect(Base64URL.decode(SecureRandom.text(bytes: 24))?.count == 24)
    }
}
