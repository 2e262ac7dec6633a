internal import Synchronization
public import SluiceGateway

/// Documents about the daemon, for the admin socket.
extension Server {
    /// Makes a document, and hands over its bytes; on any thread.
    public typealias DocumentMaker = @Sendable (DaemonDocument, @escaping @Sendable ([UInt8]) -> Void) -> Void

    /// Sets the maker of the admin socket's documents; to be called before ``start(inherited:)``.
    public func tellDocuments(by maker: @escaping DocumentMaker) {
        state.withLock { $0.documentMaker = maker }
    }

    static func make(by make: @escaping DocumentMaker, for gateway: Gateway, _ mailbox: Mailbox) {
        gateway.documentMaker = { document, number in
            make(document) { bytes in mailbox.post { $0.gateway.documentMade(number, bytes) } }
        }
    }
}
