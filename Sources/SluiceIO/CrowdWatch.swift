/// Notices when many connections have closed: the memory that they used is free, but stays with the C library, in
/// pieces between allocations that are still in use.
struct CrowdWatch {
    private var bytesPeak = 0
    private var connectionsPeak = 0

    /// A crowd is at least so many bytes waiting for slow readers, or so many connections, on one loop.
    static let bytesMin = 8 << 20
    static let connectionsMin = 1000
    /// It has left when no more than this fraction of it remains.
    private static let restShare = 8

    /// To be called regularly.
    /// - Returns: whether a crowd has left since it was last asked.
    mutating func hasLeft(waitingBytes: Int, connections: Int) -> Bool {
        bytesPeak = max(bytesPeak, waitingBytes)
        connectionsPeak = max(connectionsPeak, connections)
        let isOver =
            bytesPeak >= Self.bytesMin && waitingBytes <= bytesPeak / Self.restShare
            || connectionsPeak >= Self.connectionsMin && connections <= connectionsPeak / Self.restShare
        if isOver { (bytesPeak, connectionsPeak) = (waitingBytes, connections) }
        return isOver
    }
}
