import Glibc
import Synchronization

/// 127.0.0.1 and a port.
struct LoopbackAddress {
    var port: UInt16

    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// A port that was free a moment ago. Nobody else is given it meanwhile: no other test of this run, hardly one of
    /// another run, and no connection, whose ports the kernel takes from a range above.
    static func freePort() throws -> UInt16 {
        for _ in 0..<candidates.count {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            let candidate = candidates.lowerBound + UInt16(number % candidates.count)
            if let listener = try? Listener(port: candidate) { return listener.port }
        }
        throw HarnessError("No port of \(candidates) is free.")
    }

    private static let candidates: Range<UInt16> = 10_000..<32_000
    /// Runs at the same time begin far from each other.
    private static let next = Atomic<Int>(Int(getpid()) * 997)
}
