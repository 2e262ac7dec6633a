internal import Dispatch
internal import SluiceIO
internal import SluiceSockets
internal import Synchronization

/// The demo API's listening socket: a thread per connection, so that it reads like the API it pretends to be.
final class DemoServer: Sendable {
    /// Threads at once; a client beyond them waits in the queue of the socket.
    private static let connectionsMax = 256

    private let socket: ListeningSocket
    private let api = FruitAPI()
    private let places = DispatchSemaphore(value: connectionsMax)
    private let count = Atomic<Int>(0)

    var address: SocketAddress { socket.address }

    init(_ wanted: SocketAddress) throws(StreamSocket.Failure) {
        socket = try ListeningSocket(wanted, backlog: 128, advice: "choose another with --listen")
    }

    /// Serves until the process ends.
    func serve() {
        places.wait()
        while let client = socket.accept() {
            count.add(1, ordering: .relaxed)
            ServiceThread.run("sluice-client") { [self] in
                DemoConnection(client, api: api, isBusy: isBusy).serve()
                count.subtract(1, ordering: .relaxed)
                places.signal()
            }
            places.wait()
        }
    }

    /// Idle connections must not keep new ones out, so half of the places are for one request each.
    @Sendable private func isBusy() -> Bool { count.load(ordering: .relaxed) > Self.connectionsMax / 2 }
}
