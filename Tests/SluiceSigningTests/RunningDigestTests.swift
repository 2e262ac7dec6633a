import SluiceSigning
import Testing

@Suite struct RunningDigestTests {
    @Test(arguments: [HashFunction.sha1, .sha256, .sha512])
    func piecesMakeTheWhole(function: HashFunction) {
        let bytes = (0..<200).map { UInt8($0) }
        for split in bytes.indices {
            var digest = RunningDigest(function)
            bytes[..<split].withUnsafeBytes { digest.update($0) }
            digest.update(UnsafeRawBufferPointer(start: nil, count: 0))
            bytes[split...].withUnsafeBytes { digest.update($0) }
            #expect(digest.finish() == function.digest(of: bytes))
        }
    }
}
