import Glibc
import SluiceSockets
import Testing

@testable import SluiceIO

/// A socket on a port of its own, which accepts nobody.
final class LoopbackListener {
    /// What becomes of those who connect.
    enum Manner { case taken, refused, unanswered }

    let address: SocketAddress
    private var descriptors: [Int32] = []

    private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    init(_ manner: Manner) throws {
        let listener = socket(AF_INET, Self.kind, 0)
        descriptors = [listener]
        let unset = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
        try #require(unset.withSockAddr { bind(listener, $0, $1) } == 0)
        // A port that is bound and not listened on is nobody else's meanwhile.
        if manner != .refused { try #require(listen(listener, manner == .unanswered ? 0 : 16) == 0) }
        address = try #require(SocketAddress(localOf: listener))
        // So many that the kernel leaves others without an answer.
        for _ in 0..<(manner == .unanswered ? 4 : 0) {
            let client = socket(AF_INET, Self.kind, 0)
            descriptors.append(client)
            address.withSockAddr { _ = connect(client, $0, $1) }
        }
    }

    deinit { descriptors.forEach { close($0) } }
}
