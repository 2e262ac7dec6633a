internal import SluiceGateway

/// Writes the access log of one loop: a line is formatted into memory that is used again, and handed to the buffer.
final class AccessLogger {
    private let buffer: AccessLogBuffer
    private var line: [UInt8] = []

    init(_ buffer: AccessLogBuffer) {
        self.buffer = buffer
        line.reserveCapacity(512)
    }

    func log(_ entry: borrowing AccessEntry) {
        line.removeAll(keepingCapacity: true)
        AccessLine.append(entry, at: Timestamp.now(), query: buffer.query, to: &line)
        line.withUnsafeBytes { buffer.append($0) }
    }
}
