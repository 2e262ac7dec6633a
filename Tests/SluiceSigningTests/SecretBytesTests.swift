import SluiceSigning
import Testing

@Suite struct SecretBytesTests {
    private struct Refused: Error {}

    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

    @Test func copies() {
        #expect(bytes(SecretBytes([1, 2, 3])) == [1, 2, 3])
        #expect(bytes(SecretBytes("key")) == Array("key".utf8))
        #expect(bytes(SecretBytes([UInt8]())) == [])
        #expect(bytes([UInt8](1...9).withUnsafeBytes { SecretBytes($0) }) == [UInt8](1...9))
    }

    @Test func fewerBytesThanRoom() {
        let secret = SecretBytes(capacity: 8) { buffer in
            buffer[0] = 7
            return 1
        }
        #expect(bytes(secret) == [7])
    }

    @Test func failuresPass() {
        #expect(throws: Refused.self) {
            try SecretBytes(capacity: 8) { _ throws(Refused) in throw Refused() }
        }
    }

    @Test func comparesWhole() {
        #expect(SecretBytes("one") == SecretBytes("one"))
        #expect(SecretBytes("one") != SecretBytes("onf"))
        #expect(SecretBytes("one") != SecretBytes("ones"))
    }

    @Test func showsNothing() {
        #expect("\(SecretBytes("abc"))" == "3 secret bytes")
    }
}
