import Foundation
import Testing

/// `sluice call`, through a daemon and without one.
@Suite struct CallTests {
    @Test(arguments: [
        (["GET /fruits", "limit=1", "colors=green", "colors=yellow"], #"[{"id":2,"name":"lime""#),
        (["get /fruits/{id}", "id=3"], #"{"id":3,"name":"banana""#),
        (["GET /fruits/3"], #"{"id":3,"name":"banana""#),
        (["/fruits/3"], #"{"id":3,"name":"banana""#),
        (["GET /raw/fruits?limit=1"], #"{"total":12,"values":[{"id":1,"#),
        (
            ["POST /fruits", "name=7", "size=7", "color=red", "ripe=false"],
            #"{"id":13,"name":"7","size":7,"color":"red","ripe":false}"#
        ),
        (["POST /fruits", "--body", #"{"name":"fig","size":7,"color":"red"}"#], #"{"id":13,"name":"fig""#),
        (["GET /fruits/1", "-i"], "HTTP/1.1 200 OK\n"),
    ])
    func runsABinding(_ arguments: [String], _ expected: String) throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let file = try upstream.file()
        let direct = try Self.call(arguments + ["--direct", "--config", file])
        #expect(direct.exitStatus == 0, "\(direct.errors)")
        #expect(direct.output.hasPrefix(expected), "\(direct.output)")
    }

    @Test func goesThroughTheDaemon() throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let gateway = try Daemon(upstream.configuration())
        defer { gateway.end() }
        let file = try upstream.file(listeningOn: gateway.port)
        let command = try Self.call(["GET /fruits/1", "--config", file])
        #expect(command.output.hasPrefix(#"{"id":1,"#))
        gateway.end()
        let lonely = try Self.call(["GET /fruits/1", "--config", file])
        #expect(lonely.exitStatus == 1)
        #expect(lonely.errors.contains("is the daemon running?"))
    }

    /// What is done in a terminal: all that has come to it, and the status of the command.
    private static let terminal = """
        import os, pty, sys
        pid, master = pty.fork()
        if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
        while True:
            try: piece = os.read(master, 65536)
            except OSError: break
            if not piece: break
            sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """

    /// Control characters of both sets, and one that turns the text around: a terminal is shown that they are there.
    @Test(.needsPeers) func anAnswerCommandsNoTerminal() throws {
        let body = "a\u{1B}[2J\u{9B}2J\u{202E}b\té\r\n\u{85}c"
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        // In pieces that end within characters.
        let origin = try ScriptedOrigin([], thereafter: [.head, .send(head), .trickle(body), .close])
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let page = try folder.write(
            "upstreams: {origin: {url: \"\(origin.url)\"}}\nbindings:\n  GET /text: {to: origin /text}\n",
            to: "sluice.yaml")
        let arguments = ["GET /text", "--direct", "--config", page]
        #expect(try Array(Self.call(arguments).output.utf8) == Array(body.utf8))
        let shown = try ChildProcess(
            [try Peers.python(), "-c", Self.terminal, Daemon.binary, "call"] + arguments,
            environment: ["TERM": "dumb"])
        #expect(try shown.waitForExit() == 0, "\(shown.errors)")
        let wanted = "a\u{FFFD}[2J\u{FFFD}2J\u{FFFD}b\té\r\n\u{FFFD}c\r\n"
        #expect(Array(shown.output.utf8) == Array(wanted.utf8), "\(shown.output.debugDescription)")
    }

    @Test(arguments: [
        (["GET /fruits/99"], "no_such_fruit"),
        (["POST /fruits", "name=fig", "size=big", "color=red"], "$.size"),
        (["GET /fruit"], "did you mean 'GET /fruits'?"),
        (["GET /fruits", "limt=3"], "did you mean 'limit'?"),
        (["GET /fruits/{id}"], "needs id="),
        (["GET /raw/broken/truncated"], "before the answer was complete"),
    ])
    func saysWhatIsWrong(_ arguments: [String], _ expected: String) throws {
        let upstream = try DemoUpstream()
        defer { upstream.end() }
        let file = try upstream.file()
        let command = try Self.call(arguments + ["--direct", "--config", file])
        #expect(command.exitStatus == 1)
        #expect(command.errors.contains(expected), "\(command.errors)")
        #expect(!(command.errors + command.output).contains("demo-token"))
    }

    @Test(arguments: [
        (["call", "GET", "/me"], "put method and path in quotes: sluice call 'GET /me'"),
        (["watch", "GET", "/me"], "put method and path in quotes: sluice watch 'GET /me'"),
        (["call", "GET /fruits", "limit"], "'limit' is no name=value"), (["call", "fruits"], "no method and path"),
        (["call", "/fruits", "--url", "foo"], "'foo' is neither http://address:port nor unix:/path"),
        (["call", "/fruits", "-H", "bad"], "'bad' is no 'name: value'"),
    ])
    func isNotUnderstood(_ arguments: [String], _ words: String) throws {
        let folder = try TemporaryFolder()
        let page = try folder.write(CommandTests.good, to: "sluice.yaml")
        let process = try ChildProcess([Daemon.binary] + arguments + ["--config", page])
        #expect(try process.waitForExit() == 64)
        #expect(process.errors.hasPrefix("Error: ") && process.errors.contains(words), "\(process.errors)")
        #expect(process.errors.contains("\nUsage: sluice \(arguments[0]) "), "\(process.errors)")
        #expect(process.errors.contains("See 'sluice \(arguments[0]) --help' for more"), "\(process.errors)")
    }

    @Test(arguments: [
        (["watch", "GET /number"], "; is the daemon running?"),
        (["verify"], "; is the daemon running? --direct does without"),
    ])
    func aDaemonThatIsDownIsAskedAfter(_ arguments: [String], _ words: String) throws {
        let folder = try TemporaryFolder()
        let page = try folder.write(
            """
            listen: 127.0.0.1:\(try LoopbackAddress.freePort())
            upstreams: {fruit: {url: "http://127.0.0.1:9"}}
            bindings:
              GET /number: {to: fruit /number, value: {n: Int}, watch: {every: 1h}}
            """, to: "sluice.yaml")
        let process = try ChildProcess([Daemon.binary] + arguments + ["--config", page])
        #expect(try process.waitForExit() == 1)
        #expect((process.errors + process.output).contains(words), "\(process.errors)\(process.output)")
    }

    private static func call(_ arguments: [String]) throws -> ChildProcess {
        let process = try ChildProcess([Daemon.binary, "call"] + arguments)
        _ = try process.waitForExit()
        return process
    }
}
