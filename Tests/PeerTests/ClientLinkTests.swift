import Foundation
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

    /// The targets that the product is made of; another one that it needed would leave names undefined here.
    private static let targets = ["CLinux", "CSIMD", "SluiceClient", "SluiceContract", "SluiceHTTP", "SluiceSockets"]

    /// What every program in Swift has, and the toolchain's own coder of JSON.
    private static let system = [
        "[libc.", "[libm.", "[libgcc_s.", "[libstdc++.", "[ld-", "[libswift", "[libdispatch", "[libBlocks",
        "[libFoundationEssentials.", "[lib_FoundationCollections.",
    ]

    private static func objects() throws -> [String] {
        try targets.flatMap { target in
            let folder = Daemon.products + "/\(target).build"
            let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            let objects = names.filter { $0.hasSuffix(".o") }.map { folder + "/" + $0 }
            return try #require(objects.isEmpty ? nil : objects, "nothing of \(target) is built")
        }
    }

    @Test func itLinksTheSystemAndTheLanguageAlone() throws {
        let folder = try TemporaryFolder()
        let main = try folder.write(Self.program, to: "main.swift")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let maps = ["CLinux", "CSIMD"].flatMap { module in
            [
                "-Xcc", "-fmodule-map-file=\(Daemon.products)/\(module).build/module.modulemap", "-Xcc",
                "-I\(root)/Sources/\(module)/include",
            ]
        }
        let compiler = try ChildProcess(
            ["/usr/bin/env", "swiftc", "-I", Daemon.products + "/Modules", main, "-o", folder.file("client")] + maps
                + Self.objects(),
            environment: ["PATH": path])
        #expect(try compiler.waitForExit() == 0, "\(compiler.errors)")

        let reader = try ChildProcess(
            ["/usr/bin/env", "readelf", "--dynamic", folder.file("client")], environment: ["PATH": path])
        #expect(try reader.waitForExit() == 0, "\(reader.errors)")
        let needed = reader.output.split(separator: "\n").filter { $0.contains("(NEEDED)") }.map(String.init)
        #expect(!needed.isEmpty)
        for line in needed {
            #expect(Self.system.contains { line.contains($0) }, "\(line)")
        }

        let client = try ChildProcess([folder.file("client")])
        #expect(try client.waitForExit() == 0, "\(client.errors)")
        #expect(client.output.contains("The gateway cannot be reached: unix:/run/no-such-gateway.sock: No such file"))
    }
}
