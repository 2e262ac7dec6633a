import Foundation

/// `oidc-provider-mock` as a process: an OpenID provider that agrees to everybody.
final class OIDCProvider: Sendable {
    private let port: UInt16
    private let process: ChildProcess
    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter life: of access tokens, in seconds.
    init(life: Int) throws {
        port = try LoopbackAddress.freePort()
        process = try ChildProcess([try Peers.openIDProvider(), "--port", "\(port)", "--token-max-age", "\(life)"])
        try process.waitUntilListening(on: port)
    }

    func end() { process.end() }

    /// What a person's browser does with the address that a command has printed.
    /// - Returns: where it is sent back to.
    func agree(_ address: String) throws -> URLComponents {
        guard let url = URLComponents(string: address) else { throw HarnessError("no address: \(address)") }
        let target = "\(url.percentEncodedPath)?\(url.percentEncodedQuery ?? "")"
        let form = ["Content-Type: application/x-www-form-urlencoded"]
        let answer = try HTTPClient(port: port).request("POST", target, fields: form, body: "sub=somebody")
        guard let back = answer["Location"].flatMap({ URLComponents(string: $0) }) else {
            throw HarnessError("no redirect but \(answer.status): \(answer.text)")
        }
        return back
    }
}
