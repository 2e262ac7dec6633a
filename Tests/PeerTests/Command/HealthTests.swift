import Testing

/// `sluice health`.
@Suite struct HealthTests {
    static let configuration = """
        upstreams:
          fruit: {url: "http://127.0.0.1:9"}
        bindings:
          GET /fruits: {to: fruit /fruits}
        """

    @Test func aDaemonThatAnswersIsHealthy() throws {
        let gateway = try Daemon(Self.configuration)
        defer { gateway.end() }
        let url = "http://127.0.0.1:\(gateway.port)"
        let folder = try TemporaryFolder()
        let file = try folder.write("listen: 127.0.0.1:\(gateway.port)\n" + Self.configuration, to: "sluice.yaml")
        #expect(try Daemon.run("health", "--url", url).exitStatus == 0)
        #expect(try Daemon.run("health", "--config", file).exitStatus == 0)
        gateway.end()
        let command = try Daemon.run("health", "--config", file)
        #expect(command.exitStatus == 1)
        #expect(command.errors.hasPrefix("sluice: not healthy: 127.0.0.1:\(gateway.port)"))
    }

    /// Behind a container's published port nobody reaches a loopback.
    @Test(arguments: [("127.0.0.1", 1), ("0.0.0.0", 0)])
    func fromOutsideTheLoopbackIsNotReached(_ host: String, _ status: Int32) throws {
        let gateway = try Daemon(Self.configuration)
        defer { gateway.end() }
        let folder = try TemporaryFolder()
        let file = try folder.write("listen: \(host):\(gateway.port)\n" + Self.configuration, to: "sluice.yaml")
        let command = try Daemon.run("health", file, "--from-outside")
        #expect(command.exitStatus == status, "\(command.errors)")
        #expect(command.errors.contains("listen: 0.0.0.0:8080") == (status == 1))
    }

    @Test func oneThatOnlyListensIsNot() throws {
        let listener = try Listener()
        let command = try Daemon.run("health", "--url", "http://127.0.0.1:\(listener.port)")
        #expect(command.exitStatus == 1)
        #expect(command.errors.contains("no answer in time"))
    }

    @Test(arguments: ["", "ftp://127.0.0.1:1", "http://example.com:80", "http://127.0.0.1:x", "unix:"])
    func aStrangeURLIsAMistakeOfUsage(_ url: String) throws {
        #expect(try Daemon.run("health", "--url", url).exitStatus == 64)
    }
}
