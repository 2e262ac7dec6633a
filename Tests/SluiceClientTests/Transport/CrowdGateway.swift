import Glibc
import Synchronization
import TestFiles

@testable import SluiceClient

/// A gateway for thousands of connections on one thread. It answers nobody before so many requests are there at once.
final class CrowdGateway: Sendable {
    private let folder: TemporaryDirectory
    let path: String
    private let listener: Int32
    private let state: Crowd

    private final class Crowd: Sendable {
        let most = Atomic<Int>(0)
    }

    var address: GatewayAddress {
        get throws { try GatewayAddress("unix:\(path)") }
    }

    /// The most connections there were at a time.
    var most: Int { state.most.load(ordering: .acquiring) }

    init(holdingUntil held: Int) throws {
        folder = try TemporaryDirectory()
        path = folder.path + "/crowd.sock"
        listener = ScriptedGateway.listen(path)
        let (listener, state) = (listener, Crowd())
        self.state = state
        ScriptedGateway.thread {
            var server = Server(listener, held)
            while server.turn() { state.most.store(server.count, ordering: .releasing) }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private struct Server {
        private let listener: Int32
        private let held: Int
        private var entries: [pollfd]
        private var waiting: [Int32] = []
        private var isHolding = true

        var count: Int { entries.count - 1 }

        init(_ listener: Int32, _ held: Int) {
            self.listener = listener
            self.held = held
            entries = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        }

        mutating func turn() -> Bool {
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { return false }
            var closed: Set<Int32> = []
            for entry in entries.dropFirst() where entry.revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                if recv(entry.fd, &bytes, bytes.count, 0) > 0 {
                    waiting.append(entry.fd)
                } else {
                    closed.insert(entry.fd)
                }
            }
            if isHolding, waiting.count >= held { isHolding = false }
            if !isHolding { answer() }
            if !closed.isEmpty {
                entries.removeAll { closed.contains($0.fd) }
                for descriptor in closed { close(descriptor) }
            }
            guard entries[0].revents != 0 else { return true }
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else {
                for entry in entries.dropFirst() { close(entry.fd) }
                return false
            }
            entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            return true
        }

        private mutating func answer() {
            let text = Array(GatewayTransportTests.ok.utf8)
            for descriptor in waiting { _ = send(descriptor, text, text.count, Int32(MSG_NOSIGNAL)) }
            waiting = []
        }
    }
}
