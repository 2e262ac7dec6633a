internal import Dispatch
internal import SluiceConsole
internal import SluiceContract
internal import SluiceIO
internal import SluiceSigning
internal import SluiceSockets
internal import Synchronization

/// The console's server: a thread for each request, on a port of the loopback.
final class ConsoleServer: Sendable {
    /// Requests at once, streams among them; a client beyond them waits in the queue of the socket.
    private static let connectionsMax = 64
    /// For each piece of an answer: clients are on this machine.
    private static let patienceSeconds = 10

    let gate: Mutex<ConsoleGate>
    let admin: SocketAddress
    /// The daemon's address for trying bindings, or why there is none.
    let daemon: Result<LocalAddress, Problem>
    let signIns: ConsoleSignIns
    /// The URL of the page, with the secret that opens it.
    let url: String
    private let socket: ListeningSocket
    private let places = DispatchSemaphore(value: connectionsMax)

    /// - Parameter port: 0 is any free one.
    init(
        port: Int, admin: SocketAddress, daemon: Result<LocalAddress, Problem>, signIns: ConsoleSignIns
    ) throws(StreamSocket.Failure) {
        guard let wanted = SocketAddress(literal: "127.0.0.1", port: port) else {
            throw .init(description: "\(port) is no port")
        }
        socket = try ListeningSocket(wanted, backlog: 64, advice: "choose another with --port")
        let link = SecureRandom.text()
        gate = Mutex(
            ConsoleGate(
                port: socket.address.port ?? port, link: link, key: SecureRandom.text(bytes: 32),
                files: Set(PageFile.all.keys)))
        url = "http://\(socket.address)/#link=\(link)"
        self.admin = admin
        self.daemon = daemon
        self.signIns = signIns
    }

    /// Serves until the process ends.
    func serve() {
        places.wait()
        while let client = socket.accept() {
            ServiceThread.run("sluice-client") { [self] in
                client.setTimeout(seconds: Self.patienceSeconds)
                ConsoleConnection(client, of: self).serve()
                places.signal()
            }
            places.wait()
        }
    }
}
