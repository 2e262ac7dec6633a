internal import SluiceGateway

/// Writes the access log of one loop: a line is formatted into memory that is used again, and handed to the buffer.
final class AccessLogger {
    private let buffer: AccessLogBuffer
    private let shape: AccessShape
    private var line: [UInt8] = []

    init(_ buffer: AccessLogBuffer, _ shape: AccessShape) {
        self.buffer = buffer
        self.shape = shape
        line.reserveCapacity(512)
    }

    func log(_ entry: borrowing AccessEntry) {
        line.removeAll(keepingCapacity: true)
        shape.append(entry, at: Timestamp.now(), to: &line)
        line.withUnsafeBytes { buffer.append($0) }
    }
}
