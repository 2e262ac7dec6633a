import Testing

/// A program of somebody else that uses the companion library alone, out of what is built here.
@Suite struct ClientLinkTests {
    private static let program = """
        import SluiceClient

        let address = try GatewayAddress("unix:/run/no-such-gateway.sock")
        do {
            _ = try await GatewayTransport(address).send(CallRequest("/"), timeout: .seconds(5))
        } catch {
            print(error)
        }
        """

    @Test func itLinksTheSystemAndTheLanguageAlone() throws {
        let program = try ClientProgram(Self.program)
        try program.expectLinksNothingElse()
        let client = try program.run()
        #expect(client.exitStatus == 0, "\(client.errors)")
        #expect(client.output.contains("The gateway cannot be reached: unix:/run/no-such-gateway.sock: No such file"))
    }
}
