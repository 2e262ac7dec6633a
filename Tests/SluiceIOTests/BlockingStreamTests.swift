import Glibc
import SluiceContract
import Testing

@testable import SluiceIO

@Suite(.timeLimit(.minutes(1))) struct BlockingStreamTests {
    /// A listener on a port of its own that accepts nobody.
    private final class Listener {
        let address: SocketAddress
        private var descriptors: [Int32] = []

        private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

        /// - Parameter isFull: whether there are clients enough for the kernel to leave others without an answer.
        init(isFull: Bool) throws {
            let listener = socket(AF_INET, Self.kind, 0)
            descriptors = [listener]
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isListening = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, isFull ? 0 : 16) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            try #require(isListening)
            let port = Int(UInt16(bigEndian: address.sin_port))
            self.address = try #require(NameLookup.immediate(host: "127.0.0.1", port: port)?.first)
            for _ in 0..<(isFull ? 4 : 0) {
                let client = socket(AF_INET, Self.kind, 0)
                descriptors.append(client)
                self.address.withSockAddr { _ = Glibc.connect(client, $0, $1) }
            }
        }

        deinit { descriptors.forEach { close($0) } }
    }

    /// One address that does not answer leaves time for the next.
    @Test func theFirstAddressDoesNotAnswer() throws {
        let silent = try Listener(isFull: true)
        let open = try Listener(isFull: false)
        let deadline = BlockingStream.Deadline(in: .seconds(1), "no answer in time")
        _ = try BlockingStream.connect([silent.address, open.address], by: deadline)
        #expect(throws: BlockingStream.Failure.self) {
            _ = try BlockingStream.connect([silent.address], by: .init(in: .milliseconds(1), "no answer in time"))
        }
    }
}
