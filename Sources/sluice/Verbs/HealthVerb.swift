internal import ArgumentParser
internal import SluiceConfig
internal import SluiceContract
internal import SluiceIO

/// `sluice health`: whether a daemon answers, for containers.
struct HealthVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask whether the daemon answers.",
        discussion: """
            Asks the daemon itself and no upstream; whatever it answers, it is alive.

              sluice health sluice.yaml
              sluice health --url http://127.0.0.1:8080
              sluice health --url unix:/run/sluice/sluice.sock

            Exit codes: 0 it answers, 1 it does not within two seconds.
            """)

    private static let seconds = 2

    @OptionGroup var page: PageOption
    @OptionGroup var daemon: DaemonAddressOption

    func run() throws {
        let source = ConfigurationFile(page.path, secrets: .ignored)
        let address = try daemon.address(try source.address { LocalAddress($0) })
        do throws(StreamSocket.Failure) {
            // An OPTIONS of the server as a whole concerns no binding (RFC 9110 §9.3.7).
            let request = LocalRequest(method: "OPTIONS", target: "*", authority: address.authority)
            let client = LocalClient(address: address.socket, seconds: Self.seconds)
            if address.isTLS { try client.provoke() } else { _ = try client.send(request) }
        } catch {
            throw Say.failure("sluice: not healthy: \(error)")
        }
    }
}
