internal import SluiceContract

/// The waits of a client's connection, in nanoseconds.
struct Waits {
    let header: UInt64
    let body: UInt64
    let keepAlive: UInt64
    /// How long one byte may take; 0 where there is no least rate.
    let byte: UInt64

    init(_ limits: Limits) {
        header = limits.headerTimeout.nanosecondsClamped
        body = limits.bodyTimeout.nanosecondsClamped
        keepAlive = limits.keepAlive.nanosecondsClamped
        byte = limits.nanosecondsPerByte
    }

    /// How many bytes a client has to move in so many nanoseconds, not to be too slow.
    func bytes(in nanoseconds: UInt64) -> Int { byte > 0 ? max(1, Int(nanoseconds / byte)) : 1 }
}
