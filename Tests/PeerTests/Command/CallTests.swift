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

    @Test(arguments: [
        (["GET /fruits/99"], "no_such_fruit"),
        (["POST /fruits", "name=fig", "size=big", "color=red"], "$.size"),
        (["GET /fruit"], "did you mean 'GET /fruits'?"),
        (["GET /fruits", "limt=3"], "did you mean 'limit'?"),
        (["GET /fruits/{id}"], "needs id="),
        (["GET /fruits", "limit"], "no name=value"),
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

    private static func call(_ arguments: [String]) throws -> ChildProcess {
        let process = try ChildProcess([Daemon.binary, "call"] + arguments)
        _ = try process.waitForExit()
        return process
    }
}
