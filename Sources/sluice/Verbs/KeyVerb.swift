internal import ArgumentParser
internal import SluiceGateway

/// `sluice key`: an API key for a local program, and what `clients:` keeps of it.
struct KeyVerb: ParsableCommand {
    static let configuration = CommandConfiguration.verb(
        "key",
        abstract: "Make an API key for a client, or digest one.",
        discussion: """
            The key is for the client and is shown once. Its digest is for the configuration, and of no use to whoever \
            reads it there.

              sluice key ci
              echo "$KEY" | sluice key --digest

            Exit codes: 0 printed, 1 there is no key on standard input or the output cannot be written, 64 the command \
            line was not understood.
            """)

    /// 43 letters of 62 hold 256 bits: nothing that could be guessed, so that a plain hash cannot be turned around.
    private static let letterCount = 43
    /// Tells scanners for secrets what they have found.
    private static let prefix = "sluice_"

    @Argument(help: "The client's name under 'clients:'.")
    var name = "NAME"

    @Flag(help: "Read a key from standard input and print its digest alone.")
    var digest = false

    func run() throws {
        if digest { return try digestInput() }
        var random = SystemRandomNumberGenerator()
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        let text = (0..<Self.letterCount).compactMap { _ in letters.randomElement(using: &random) }
        let key = Self.prefix + String(decoding: text, as: UTF8.self)
        Say.print(
            """
            # For the client: Authorization: Bearer KEY, or X-API-Key: KEY
            # \(key)
            clients:
              \(name): {key: "\(Self.digest(of: key))"}
            """)
    }

    private func digestInput() throws {
        guard let key = readLine(), !key.isEmpty else {
            throw Say.failure("sluice: no key on standard input; send one line")
        }
        Say.print(Self.digest(of: key))
    }

    private static func digest(of key: String) -> String {
        Array(key.utf8).withUnsafeBytes { KeyDigest(of: $0).hexadecimal }
    }
}
