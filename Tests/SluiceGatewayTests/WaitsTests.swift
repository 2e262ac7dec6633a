import SluiceContract
import Testing

@testable import SluiceGateway

@Suite struct WaitsTests {
    private func waits(_ bytesPerSecond: Int) -> Waits {
        var limits = Limits()
        limits.rateBytesMin = bytesPerSecond
        return Waits(limits)
    }

    /// Any byte will do where there is no rate, and one is always wanted.
    @Test(arguments: [(0, 5, 1), (1000, 5, 5000), (1, 5, 5), (1, 0, 1)] as [(Int, UInt64, Int)])
    func bytesThatHaveToMove(rate: Int, seconds: UInt64, bytes: Int) {
        #expect(waits(rate).bytes(in: seconds * 1_000_000_000) == bytes)
    }
}
