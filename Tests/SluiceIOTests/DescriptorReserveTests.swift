import Testing

@testable import SluiceIO

@Suite struct DescriptorReserveTests {
    @Test(arguments: [(64, 1024, 960), (64, 100, 75), (0, 100, 100), (1000, 8, 6)])
    func isAQuarterAtMost(count: Int, most: Int, end: Int32) {
        #expect(DescriptorReserve(count, of: most).end == end)
    }

    /// The next descriptor is asked for only near the reserve.
    @Test func isReachedByWhatIsFree() {
        #expect(!DescriptorReserve(64, of: 1 << 20).isReached(last: 10, probing: -1))
        #expect(!DescriptorReserve(64, of: 1 << 20).isReached(last: (1 << 20) - 100, probing: 0))
        #expect(DescriptorReserve(0, of: 1).isReached(last: 1, probing: 0))
    }
}
