import Foundation
import Testing

/// The programs of `Examples/`, in front of a gateway that serves `config/demo.yaml` over the demo API.
@Suite struct ExampleProgramTests {
    /// A gateway in front of the demo API, each a process of its own.
    private struct Demo {
        let upstream: ChildProcess
        let gateway: Daemon

        init() throws {
            let port = try LoopbackAddress.freePort()
            upstream = try ChildProcess([Daemon.binary, "demo-upstream", "--listen", "127.0.0.1:\(port)"])
            try upstream.waitUntilListening(on: port)
            let page = try String(contentsOfFile: ClientProgram.root + "/config/demo.yaml", encoding: .utf8)
            let here = page.replacing("127.0.0.1:9090", with: "127.0.0.1:\(port)")
            gateway = try Daemon(here.replacing("listen: 127.0.0.1:8080\n", with: ""))
        }

        var url: String { "http://127.0.0.1:\(gateway.port)" }

        func end() {
            gateway.end()
            upstream.end()
        }
    }

    @Test func aCommandLineTool() throws {
        let program = try ClientProgram(example: "fruit-cli")
        try program.expectLinksNothingElse()
        let demo = try Demo()
        defer { demo.end() }
        let list = try program.run("list", "2", "red", gateway: demo.url)
        #expect(list.exitStatus == 0 && list.output == "1\tapple\t3\tred\n4\tcherry\t7\tred\n", "\(list.errors)")
        #expect(try program.run("list", gateway: demo.url).output.split(separator: "\n").count == 10)
        #expect(try program.run("add", "fig", "3", "green", gateway: demo.url).output == "13\tfig\t3\tgreen\n")
        #expect(try program.run("show", "13", gateway: demo.url).output == "13\tfig\t3\tgreen\n")
        #expect(try program.run("remove", "13", gateway: demo.url).output == "removed 13 (204)\n")
        let missing = try program.run("show", "13", gateway: demo.url)
        #expect(missing.exitStatus == 1 && missing.errors.contains("There is no fruit 13."), "\(missing.errors)")
        let wrong = try program.run("add", "fig", "3", "blue", gateway: demo.url)
        #expect(wrong.exitStatus == 1 && wrong.errors.contains("$.color"), "\(wrong.errors)")
        let signedIn = try program.run("sign-in", "me@fruit.example", "fruit-salad", gateway: demo.url)
        #expect(signedIn.output == "signed in as me@fruit.example\n", "\(signedIn.errors)")
        #expect(try program.run("list", "many", gateway: demo.url).exitStatus == 64)
        // Who is not there yet may be there later.
        #expect(try program.run("list", gateway: "unix:/run/no-such-gateway.sock").exitStatus == 75)
    }

    @Test func aTerminalThatWatchesResources() throws {
        let program = try ClientProgram(example: "fruit-watch")
        try program.expectLinksNothingElse()
        let demo = try Demo()
        defer { demo.end() }
        let whole = try program.run("--once", "--limit", "2", gateway: demo.url)
        let fruits = "== fruits\n   apple, red, size 3\n   lime, green, size 8\n"
        #expect(whole.exitStatus == 0, "\(whole.errors)")
        #expect(whole.output == fruits + "== /fruits/1\n   apple, red, size 3\n")
        let half = try program.run("--once", "--limit", "2", "--path", "/fruits/99", gateway: demo.url)
        #expect(half.exitStatus == 1)
        #expect(half.output.hasPrefix(fruits + "== /fruits/99 !\n"), "\(half.output)")
        #expect(half.output.contains("There is no fruit 99."))
        #expect(try program.run("--rules", "none", gateway: demo.url).exitStatus == 64)
    }

    /// What may succeed later is tried again, and nothing else is.
    @Test func itTriesAgainWhatFailed() throws {
        let program = try ClientProgram(example: "fruit-watch")
        let apple = #"{"name":"apple","size":3,"color":"red"}"#
        func answer(_ status: String, _ body: String) -> String {
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(body)"
        }
        let fails: [ScriptedOrigin.Step] = [.head, .send(answer("503 Service Unavailable", "{}")), .close]
        let origin = try ScriptedOrigin([fails], thereafter: [.head, .send(answer("200 OK", apple)), .close])
        defer { origin.end() }
        let sound = try ScriptedOrigin([], thereafter: [.head, .send(answer("200 OK", "[\(apple)]")), .close])
        defer { sound.end() }
        let gateway = try Daemon(
            """
            upstreams: {fruit: {url: "\(origin.url)"}, sound: {url: "\(sound.url)"}}
            types: {Fruit: {name: String, size: Int, color: String}}
            bindings:
              GET /fruits: {to: sound /fruits, params: {limit: Int}, value: "[Fruit]"}
              GET /fruits/{id}: {to: "fruit /fruits/{id}", params: {id: Int}, value: Fruit}
            """)
        defer { gateway.end() }
        let again = try program.run(
            "--once", "--retries", "3", gateway: "http://127.0.0.1:\(gateway.port)")
        #expect(again.exitStatus == 0 && again.output.hasSuffix("   apple, red, size 3\n"), "\(again.output)")
        #expect(origin.connectionCount == 2 && sound.connectionCount == 1)
    }
}
