import Glibc
import SluiceClient
import SluiceServer

/// A sidecar whose page is Swift: the properties that other programs ask through are what it serves.
///
///     fruit-gateway http://127.0.0.1:9090/v1 8081     serves, with the bearer of $FRUIT_TOKEN, until SIGTERM or Ctrl-C
///     fruit-gateway http://127.0.0.1:9090/v1          prints the page that would serve the same
@main
enum FruitGateway {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let upstream = arguments.first, arguments.count < 3 else { end("usage: fruit-gateway URL [PORT]", 64) }
        let gateway = Gateway(FruitStand(), upstream: upstream, bearer: .environment("FRUIT_TOKEN"))
        do throws(GatewayError) {
            guard let port = arguments.dropFirst().first.map({ Int($0) ?? -1 }) else {
                return print(try gateway.yaml(), terminator: "")
            }
            try await serve(gateway, port)
        } catch {
            end("\(error)", 1)
        }
    }

    private static func serve(_ gateway: Gateway, _ port: Int) async throws(GatewayError) {
        let serving = Task { () -> GatewayError? in
            do throws(GatewayError) {
                try await gateway.serve(on: .tcp(port: port)) { print("listening on \($0.joined(separator: ", "))") }
                return nil
            } catch {
                return error
            }
        }
        let signals = EndSignals { serving.cancel() }
        if let error = await serving.value { throw error }
        signals.end()
    }

    private static func end(_ text: String, _ status: Int32) -> Never {
        let bytes = Array((text + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }
}
