/// Bytes at a fixed address for the life of the object, so that outgoing data may borrow them. An array lends its bytes
/// only for the time of a call.
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
