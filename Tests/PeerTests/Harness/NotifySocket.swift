import Glibc
import Synchronization

/// The socket that a service manager listens on: sd_notify(3).
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    private let state = Mutex<[String]>([])

    init(in folder: TemporaryFolder) throws {
        path = folder.file("notify")
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        self.descriptor = descriptor
        guard UnixAddress(path: path).withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else {
            throw HarnessError("bind \(path): \(errorText())")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Every `KEY=value` that has come so far, in order.
    var assignments: [String] {
        state.withLock { assignments in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return assignments }
                let text = String(decoding: buffer.prefix(count), as: UTF8.self)
                assignments += text.split(separator: "\n").map(String.init)
            }
        }
    }

    /// Waits for an assignment.
    func waitFor(_ assignment: String) throws {
        try Poll.until("the daemon says \(assignment)", holds: { assignments.contains(assignment) })
    }
}
