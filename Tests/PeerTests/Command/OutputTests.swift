import Foundation
import Testing

/// Outputs that are closed, or that have no room: what cannot be said is told, and goes nowhere else.
@Suite struct OutputTests {
    private static func shell(_ script: String, _ arguments: String...) throws -> ChildProcess {
        let process = try ChildProcess(["/bin/sh", "-c", script, Daemon.binary] + arguments)
        _ = try process.waitForExit()
        return process
    }

    /// The connection to the server would be standard output, and get its own answer.
    @Test func aClosedOutputIsNoConnection() throws {
        let origin = try ScriptedOrigin(answering: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let page = try folder.write(CommandTests.good, to: "sluice.yaml")
        let call = try Self.shell(#""$0" call /fruits -c "$1" --url "$2" >&-"#, page, origin.url)
        #expect(call.exitStatus == 1)
        #expect(call.errors.contains("standard output cannot be written"), "\(call.errors)")
        #expect(origin.received().contains("GET /fruits") && !origin.received().contains("secret"))
    }

    @Test(arguments: [(">&-", [1]), ("2>&-", [2]), ("<&- >&- 2>&-", [0, 1, 2])])
    func aDaemonHasAllThreeDescriptors(_ closed: String, _ numbers: [Int]) throws {
        let folder = try TemporaryFolder()
        let port = try LoopbackAddress.freePort()
        let page = try folder.write("listen: 127.0.0.1:\(port)\n" + CommandTests.good, to: "sluice.yaml")
        let gateway = try ChildProcess(["/bin/sh", "-c", "exec \"$0\" serve \"$1\" \(closed)", Daemon.binary, page])
        defer { gateway.end() }
        try gateway.waitUntilServing(on: port)
        for number in numbers {
            // Root alone may look (PR_SET_DUMPABLE).
            let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(gateway.pid)/fd/\(number)")
            #expect(file == "/dev/null")
        }
    }

    /// An empty file with a good status would take the place of bindings, or of a key.
    @Test(arguments: [
        "routes \"$1\"", "routes --json \"$1\"", "check \"$1\"", "check --explain \"$1\"", "check --json \"$1\"",
        "version", "--version", "--help", "help call", "key ci", "echo k | \"$0\" key --digest", "export swift \"$1\"",
        "--generate-completion-script bash",
    ])
    func anOutputWithoutRoomIsTold(_ words: String) throws {
        let folder = try TemporaryFolder()
        let page = try folder.write("listen: 127.0.0.1:0\n" + CommandTests.good, to: "sluice.yaml")
        let command = try Self.shell((words.hasPrefix("echo") ? words : "\"$0\" \(words)") + " > /dev/full", page)
        #expect(command.exitStatus == 1)
        let line = "sluice: standard output cannot be written: No space left on device\n"
        #expect(command.errors.hasSuffix(line), "\(command.errors)")
    }
}
