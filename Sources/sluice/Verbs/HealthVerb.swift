internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO
internal import SluiceSockets

/// `sluice health`: whether a daemon answers, for containers.
struct HealthVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "health",
        abstract: "Ask whether the daemon answers.",
        discussion: """
            Asks the daemon itself and no upstream; whatever it answers, it is alive.

              sluice health sluice.yaml
              sluice health --url http://127.0.0.1:8080
              sluice health --url unix:/run/sluice/sluice.sock
              sluice health --from-outside

            Exit codes: 0 it answers, 1 it does not within two seconds, nobody outside could reach it, or the page \
            cannot be read.
            """)

    private static let seconds = 2

    @OptionGroup var page: PageOption
    @OptionGroup var daemon: DaemonAddressOption

    @Flag(
        help: """
            Fail, too, where every address of the configuration is one of the loopback: a container's published port \
            never reaches those.
            """)
    var fromOutside = false

    func run() throws {
        let address = try place()
        do throws(StreamSocket.Failure) {
            // An OPTIONS of the server as a whole concerns no binding (RFC 9110 §9.3.7).
            let request = LocalRequest(method: "OPTIONS", target: "*", authority: address.authority)
            let client = LocalClient(address: address.socket, seconds: Self.seconds)
            if address.isTLS { try client.provoke() } else { _ = try client.send(request) }
        } catch {
            throw Say.failure("sluice: not healthy: \(error)")
        }
    }

    private func place() throws -> LocalAddress {
        let source = ConfigurationFile(page.path, secrets: .ignored)
        do {
            if fromOutside { try expectOutside(source) }
            return try daemon.address(try source.address { LocalAddress($0) })
        } catch let code as ExitCode where code.rawValue == 2 {
            // Docker keeps that one for itself: HEALTHCHECK.
            throw ExitCode(1)
        }
    }

    private func expectOutside(_ source: ConfigurationFile) throws {
        let listeners = try source.address { $0.listen } ?? []
        // Without any, the daemon listens where its service manager says.
        let isInside = listeners.allSatisfy { SocketAddress($0.address)?.isLoopback ?? false }
        guard isInside, !listeners.isEmpty else { return }
        let addresses = listeners.map { "\($0.address)" }.joined(separator: ", ")
        throw Say.failure(
            """
            sluice: not healthy: nobody outside of this container reaches \(addresses); write 'listen: 0.0.0.0:8080', \
            and keep it local by the engine (-p 127.0.0.1:8080:8080), or share its network or a volume with a socket
            """)
    }
}
