internal import CNGHTTP2
internal import Glibc

/// The library's memory for the sessions of one loop: small blocks are reused.
///
/// The library allocates more than a dozen blocks for each stream and frees them soon after. With many open streams
/// that is more than the C library caches for a thread, and its slower paths take a tenth of a request's time.
final class HTTP2Memory {
    /// Bytes in front of each block: they hold its size class, or 0 for a large block that is not reused, and keep
    /// blocks aligned.
    private static let headBytes = 16
    /// Size classes are multiples of this.
    private static let stepShift = 5
    private static let classCount = 33
    /// The most bytes of free blocks that are kept.
    private static let keptBytesMax = 256 << 10

    private struct Lists {
        var heads: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        var keptBytes = 0
    }

    private let lists: UnsafeMutablePointer<Lists>

    init() {
        let heads = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Self.classCount)
        heads.initialize(repeating: nil, count: Self.classCount)
        lists = .allocate(capacity: 1)
        lists.initialize(to: Lists(heads: heads))
    }

    deinit {
        for index in 0..<Self.classCount {
            while let block = lists.pointee.heads[index] {
                lists.pointee.heads[index] = block.load(as: UnsafeMutableRawPointer?.self)
                Self.free(block - Self.headBytes)
            }
        }
        lists.pointee.heads.deallocate()
        lists.deallocate()
    }

    /// Bytes of free blocks that are kept at present.
    var keptBytes: Int { lists.pointee.keptBytes }

    /// The functions that the library calls; this object has to outlive its sessions.
    var functions: nghttp2_mem {
        nghttp2_mem(
            mem_user_data: UnsafeMutableRawPointer(lists),
            malloc: { size, owner in HTTP2Memory.take(size, HTTP2Memory.lists(owner)) },
            free: { block, owner in
                if let block { HTTP2Memory.giveBack(block, HTTP2Memory.lists(owner)) }
            },
            calloc: { count, size, owner in HTTP2Memory.takeZeroed(count, size, HTTP2Memory.lists(owner)) },
            realloc: { block, size, owner in HTTP2Memory.change(block, size, HTTP2Memory.lists(owner)) })
    }

    @inline(__always)
    private static func lists(_ owner: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Lists> {
        guard let owner else { preconditionFailure("memory without an owner") }
        return owner.assumingMemoryBound(to: Lists.self)
    }

    @inline(__always)
    private static func take(_ size: Int, _ lists: UnsafeMutablePointer<Lists>) -> UnsafeMutableRawPointer? {
        let index = (size &+ headBytes &+ (1 << stepShift) &- 1) >> stepShift
        guard size >= 0, index < classCount else { return takeLarge(size) }
        if let block = lists.pointee.heads[index] {
            lists.pointee.heads[index] = block.load(as: UnsafeMutableRawPointer?.self)
            lists.pointee.keptBytes &-= index << stepShift
            return block
        }
        guard let base = malloc(index << stepShift) else { return nil }
        base.storeBytes(of: index, as: Int.self)
        return base + headBytes
    }

    private static func takeLarge(_ size: Int) -> UnsafeMutableRawPointer? {
        guard size >= 0, size < Int.max - headBytes, let base = malloc(size + headBytes) else { return nil }
        base.storeBytes(of: 0, as: Int.self)
        return base + headBytes
    }

    private static func takeZeroed(
        _ count: Int, _ size: Int, _ lists: UnsafeMutablePointer<Lists>
    ) -> UnsafeMutableRawPointer? {
        let (total, overflow) = count.multipliedReportingOverflow(by: size)
        guard !overflow, let block = take(total, lists) else { return nil }
        memset(block, 0, total)
        return block
    }

    @inline(__always)
    private static func giveBack(_ block: UnsafeMutableRawPointer, _ lists: UnsafeMutablePointer<Lists>) {
        let index = (block - headBytes).load(as: Int.self)
        guard index > 0, lists.pointee.keptBytes < keptBytesMax else { return free(block - headBytes) }
        block.storeBytes(of: lists.pointee.heads[index], as: UnsafeMutableRawPointer?.self)
        lists.pointee.heads[index] = block
        lists.pointee.keptBytes &+= index << stepShift
    }

    private static func change(
        _ block: UnsafeMutableRawPointer?, _ size: Int, _ lists: UnsafeMutablePointer<Lists>
    ) -> UnsafeMutableRawPointer? {
        guard let block else { return take(size, lists) }
        let index = (block - headBytes).load(as: Int.self)
        if index == 0 {
            guard size < Int.max - headBytes else { return nil }
            return realloc(block - headBytes, size + headBytes).map { $0 + headBytes }
        }
        let room = index << stepShift - headBytes
        if size <= room { return block }
        guard let grown = take(size, lists) else { return nil }
        grown.copyMemory(from: block, byteCount: room)
        giveBack(block, lists)
        return grown
    }

    private static func free(_ base: UnsafeMutableRawPointer) {
        Glibc.free(base)
    }
}
