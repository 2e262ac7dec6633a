internal import SluiceSockets
internal import Glibc

/// Sends entries to the journal of systemd: a datagram each. Calls wait where the journal is behind, but not for long.
struct JournalSocket {
    /// Unconnected: the journal may restart, with another socket at the same path.
    let descriptor: Int32
    private let address: SocketAddress

    /// - Returns: nil where there is no such socket, for the reason in `errno`.
    init?(path: String, patienceMilliseconds: Int32) {
        guard let address = SocketAddress(unixPath: path) else {
            errno = ENAMETOOLONG
            return nil
        }
        guard access(path, W_OK) == 0 else { return nil }
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return nil }
        var limit = timeval(
            tv_sec: Int(patienceMilliseconds) / 1000, tv_usec: Int(patienceMilliseconds) % 1000 * 1000)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends entries, each behind its length (``AccessLogBuffer``), as far as the journal takes them.
    /// - Returns: how many it took, and why not all of them.
    func send(_ records: [UInt8]) -> (sent: Int, error: Int32?) {
        records.withUnsafeBytes { records in
            var position = 0
            var sent = 0
            while position < records.count {
                let start = position + AccessLogBuffer.lengthBytes
                let length = Int(records.loadUnaligned(fromByteOffset: position, as: UInt32.self))
                let record = UnsafeRawBufferPointer(rebasing: records[start..<start + length])
                if let error = send(record) { return (sent, error) }
                sent += 1
                position = start + length
            }
            return (sent, nil)
        }
    }

    private func send(_ record: UnsafeRawBufferPointer) -> Int32? {
        while true {
            let count = address.withSockAddr {
                sendto(descriptor, record.baseAddress, record.count, Int32(MSG_NOSIGNAL), $0, $1)
            }
            if count >= 0 { return nil }
            if errno != EINTR { return errno }
        }
    }
}
