/// Bytes that stay where they are as long as the object lives, so that what goes out may borrow them. Those of an array
/// are lent for the time of a call alone.
final class StableBytes: Sendable {
    // Initialised once, read by all, and freed with the object.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    init(_ content: [UInt8]) {
        memory = .allocate(byteCount: content.count, alignment: 1)
        memory.copyBytes(from: content)
    }

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }
    var count: Int { memory.count }
}
