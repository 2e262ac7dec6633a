import Foundation
import Testing

/// What the scripts say on a machine where something is missing.
@Suite struct ScriptTests {
    private static let scripts = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("scripts").path

    /// A toolchain without its libraries does not even say its version.
    @Test func aBrokenToolchainIsExplained() throws {
        let folder = try TemporaryFolder()
        // Nothing is installed from here: every package is there, says this one.
        _ = try folder.writeProgram("#!/bin/sh\necho installed\n", to: "dpkg-query")
        _ = try folder.writeProgram(
            "#!/bin/sh\necho 'libncurses.so.6: cannot open shared object file' >&2\nexit 127\n", to: "swift")
        let path = folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let process = try ChildProcess([Self.scripts + "/build"], environment: ["PATH": path])
        #expect(try process.waitForExit() == 1)
        for word in ["libncurses.so.6", "'swift --version' fails", "apt-get install binutils libcurl4 libncurses6"] {
            #expect(process.errors.contains(word), "\(process.errors)")
        }
    }

    @Test(arguments: [
        (["--listen", "x"], 1, "'x' is no port"), (["--listen", "9090"], 1, "cannot both have port 9090"),
        (["--nope"], 1, "no option '--nope'"), (["--help"], 0, "--listen PORT"),
    ])
    func runTakesPorts(_ arguments: [String], _ status: Int32, _ words: String) throws {
        let process = try ChildProcess(
            [Self.scripts + "/run"] + arguments, environment: ["PORT": "", "UPSTREAM_PORT": ""])
        #expect(try process.waitForExit() == status)
        #expect((process.output + process.errors).contains(words), "\(process.errors)")
    }

    /// What is in the image is linked as what scripts/build makes, by one list of flags.
    @Test func theImageIsBuiltAsTheScriptDoes() throws {
        let image = try String(contentsOfFile: Self.scripts + "/../Dockerfile", encoding: .utf8)
        let script = try String(contentsOfFile: Self.scripts + "/build", encoding: .utf8)
        #expect(image.contains("COPY scripts/setup-lib") && image.contains("build_release"))
        #expect(script.contains("\nbuild_release\n") && !image.contains("-Xswiftc"))
        // What the build reads has to be sent to the engine, and copied.
        let sent = try String(contentsOfFile: Self.scripts + "/../.dockerignore", encoding: .utf8)
        #expect(image.contains("COPY scripts/foundation") && sent.contains("!scripts/foundation\n"))
    }

    /// The image installs what the lists say, and the lists are Debian's names, one to a line.
    @Test func theImageUsesTheLists() throws {
        let image = try String(contentsOfFile: Self.scripts + "/../Dockerfile", encoding: .utf8)
        #expect(image.contains("COPY scripts/packages /packages") && image.contains("COPY scripts/packages/runtime"))
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.scripts + "/packages") {
            let text = try String(contentsOfFile: "\(Self.scripts)/packages/\(name)", encoding: .utf8)
            let packages = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(packages.count > 1 && packages == packages.sorted(), "\(name)")
            #expect(packages.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) } })
        }
    }
}
