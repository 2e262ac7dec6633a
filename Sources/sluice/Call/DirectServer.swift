internal import Dispatch
internal import Logging
internal import SluiceContract
internal import SluiceGateway
internal import SluiceIO
internal import Glibc

/// The gateway inside of this process, for one call: one loop behind a Unix socket that only this user can reach.
final class DirectServer {
    let address: LocalAddress
    private let server: Server
    private let folder: String

    /// - Throws: where the configuration cannot be served, or there is no place for the socket.
    init(_ configuration: SluiceContract.Configuration) throws {
        // mkdtemp(3): open to its owner alone.
        var template = Array(((getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/sluice-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StreamSocket.Failure(description: "no temporary folder: \(String(cString: strerror(errno)))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var configuration = configuration
        let listener = Listener(.unix(path: folder + "/socket"))
        configuration.listen = [listener]
        configuration.hosts = .any
        configuration.loops = 1
        configuration.admin = nil
        configuration.monitor = nil
        configuration.log.access = nil
        do {
            guard let address = LocalAddress(listener) else {
                throw StreamSocket.Failure(description: "the temporary folder's path is too long for a socket")
            }
            self.address = address
            // The command itself reports findings; the rest is logged as by the daemon.
            let output = LogOutput(configuration.log)
            let logger = Logger(label: "sluice") { LogBackend(label: $0, level: .error, output: output) }
            server = Server(try RouteTable(configuration), logger: logger)
            try server.start()
        } catch {
            Self.remove(folder)
            throw error
        }
    }

    /// Ends the loop and removes the socket.
    func stop() {
        let isDone = DispatchSemaphore(value: 0)
        server.drain(within: .seconds(1)) { _ in isDone.signal() }
        isDone.wait()
        Self.remove(folder)
    }

    /// The folder holds nothing but the socket.
    private static func remove(_ folder: String) {
        unlink(folder + "/socket")
        rmdir(folder)
    }
}
