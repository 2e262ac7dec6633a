import Testing

@testable import SluiceCoding

@Suite struct SpareBlocksTests {
    /// What was given back is handed out again, where it fits and is not much too large.
    @Test func blocksAreHandedOutAgain() {
        let blocks = SpareBlocks()
        let owner = Unmanaged.passUnretained(blocks).toOpaque()
        let first = SpareBlocks.take(owner, bytes: 1000)
        SpareBlocks.giveBack(owner, block: first)
        #expect(SpareBlocks.take(owner, bytes: 900) == first)
        SpareBlocks.giveBack(owner, block: first)
        let small = SpareBlocks.take(owner, bytes: 100)
        #expect(small != first)
        let large = SpareBlocks.take(owner, bytes: 1001)
        #expect(large != first)
        SpareBlocks.giveBack(owner, block: small)
        SpareBlocks.giveBack(owner, block: large)
        withExtendedLifetime(blocks) {}
    }

    /// What is too large to be kept is freed at once.
    @Test func largeBlocksAreNotKept() {
        let blocks = SpareBlocks()
        let owner = Unmanaged.passUnretained(blocks).toOpaque()
        for _ in 0..<100 {
            let block = SpareBlocks.take(owner, bytes: 2 << 20)
            #expect(block != nil)
            SpareBlocks.giveBack(owner, block: block)
        }
        withExtendedLifetime(blocks) {}
    }
}
