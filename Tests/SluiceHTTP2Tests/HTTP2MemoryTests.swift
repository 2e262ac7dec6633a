import CNGHTTP2
import Testing

@testable import SluiceHTTP2

/// The library's memory: blocks come back, whole and aligned, and not too many are kept.
@Suite struct HTTP2MemoryTests {
    private let memory = HTTP2Memory()

    private func take(_ size: Int) throws -> UnsafeMutableRawPointer {
        let functions = memory.functions
        let block = try #require(functions.malloc(size, functions.mem_user_data))
        #expect(UInt(bitPattern: block) % 16 == 0)
        for offset in 0..<size { block.storeBytes(of: 0xa5, toByteOffset: offset, as: UInt8.self) }
        return block
    }

    private func giveBack(_ block: UnsafeMutableRawPointer?) {
        let functions = memory.functions
        functions.free(block, functions.mem_user_data)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 48, 100, 1000, 1023, 1024, 1040, 1041, 5000])
    func blocksAreUsedAgain(_ size: Int) throws {
        let first = try take(size)
        giveBack(first)
        let isSmall = memory.keptBytes > 0
        #expect(isSmall == (size + 16 <= 1024))
        let second = try take(size)
        if isSmall { #expect(second == first) }
        #expect(memory.keptBytes == 0)
        giveBack(second)
    }

    @Test func zeroedMemoryIsZero() throws {
        giveBack(try take(60))
        let functions = memory.functions
        let block = try #require(functions.calloc(6, 10, functions.mem_user_data))
        #expect(UnsafeRawBufferPointer(start: block, count: 60).allSatisfy { $0 == 0 })
        giveBack(block)
        #expect(functions.calloc(.max, 2, functions.mem_user_data) == nil)
    }

    @Test(arguments: [(10, 16), (10, 17), (16, 2000), (2000, 4000), (2000, 10), (100, 0)])
    func growingKeepsWhatThereIs(_ before: Int, _ after: Int) throws {
        let functions = memory.functions
        let block = try take(before)
        let grown = try #require(functions.realloc(block, after, functions.mem_user_data))
        let kept = UnsafeRawBufferPointer(start: grown, count: min(before, after))
        #expect(kept.allSatisfy { $0 == 0xa5 })
        giveBack(grown)
        giveBack(functions.realloc(nil, after, functions.mem_user_data))
        giveBack(nil)
    }

    @Test func notMoreThanALittleIsKept() throws {
        let blocks = try (0..<1000).map { _ in try take(1000) }
        for block in blocks { giveBack(block) }
        #expect(memory.keptBytes <= 257 << 10)
        #expect(memory.keptBytes > 200 << 10)
    }
}
