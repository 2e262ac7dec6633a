import Foundation
import Testing

/// `sluice console` in front of a real daemon: who is let in, and what the page can do.
@Suite struct ConsoleTests {
    private final class Place {
        let folder: TemporaryFolder
        let origin: ScriptedOrigin
        let gateway: Daemon
        let console: ConsolePeer

        init(answering text: String = "[1,2,3]", console arguments: String = "--port=0") throws {
            folder = try TemporaryFolder()
            origin = try ScriptedOrigin(
                answering: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n"
                    + "\r\n\(text)")
            gateway = try Daemon(Self.page(folder, origin))
            console = try ConsolePeer(gateway.file, arguments)
        }

        static func page(_ folder: TemporaryFolder, _ origin: ScriptedOrigin, fresh: String = "1h") -> String {
            """
            admin: \(folder.file("admin.sock"))
            upstreams:
              origin: {url: "\(origin.url)", bearer: {value: s3cret-token}}
            bindings:
              GET /fruits/{id}:
                to: "origin /fruits/{id}"
                params: {id: Int(1...100)}
                value: [Int]
                cache: {fresh: \(fresh)}
              POST /plain: {to: origin /plain}
            """
        }

        func end() {
            console.end()
            gateway.end()
            origin.end()
        }
    }

    /// Every file of the folder is in the binary as it stands there.
    @Test func thePageIsInTheBinary() throws {
        let place = try Place()
        defer { place.end() }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appendingPathComponent("Sources/CConsolePage/Page")
        let names = try FileManager.default.contentsOfDirectory(atPath: page.path)
        #expect(names.contains("console.html"))
        for name in names {
            let answer = try place.console.send("GET", "/\(name)")
            let file = try Data(contentsOf: page.appendingPathComponent(name))
            #expect(answer.status == 200 && answer.body == Array(file), "list \(name) in CConsolePage.c")
        }
        let index = try place.console.send("GET", "/")
        #expect(index["Content-Type"] == "text/html; charset=utf-8")
        #expect(try place.console.send("HEAD", "/")["Content-Length"] == "\(index.body.count)")
    }

    @Test func answersKeepThePageToItself() throws {
        let place = try Place()
        defer { place.end() }
        for target in ["/", "/api/bindings", "/nowhere"] {
            let answer = try place.console.send("GET", target)
            #expect(
                answer["Content-Security-Policy"]
                    == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
            #expect(answer["X-Content-Type-Options"] == "nosniff" && answer["Referrer-Policy"] == "no-referrer")
            #expect(answer["Cross-Origin-Opener-Policy"] == "same-origin")
            #expect(answer["Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(answer["Cache-Control"] == "no-store" && answer["Set-Cookie"] == nil)
            #expect(answer["Access-Control-Allow-Origin"] == nil)
        }
    }

    /// The table of who is let in is ConsoleGateTests'; this is that the server asks the gate.
    @Test func onlyWhoHasTheKeyIsLetIn() throws {
        let place = try Place()
        defer { place.end() }
        let console = place.console
        try console.send("GET", "/api/bindings").expectProblem(.unauthenticated)
        try console.send("POST", "/session", body: #"{"link": "another"}"#).expectProblem(.forbidden)
        let session = try console.session()
        try console.send("POST", "/session", body: "{\"link\": \"\(console.link)\"}").expectProblem(.forbidden)
        #expect(try session.ask("GET", "/bindings").status == 200)
        func status(_ method: String, _ target: String, host: String? = nil, _ fields: String...) throws -> Int {
            try console.send(method, target, host: host, fields: [session.authorization] + fields).status
        }
        #expect(try status("GET", "/api/bindings", host: "evil.example:\(console.port)") == 421)
        #expect(try status("GET", "/api/bindings", host: "localhost:\(console.port)") == 200)
        #expect(try status("GET", "/api/bindings", "Origin: http://evil.example") == 403)
        #expect(try status("GET", "/api/bindings", "Origin: http://127.0.0.1:\(console.port)") == 200)
        #expect(try status("GET", "/api/bindings", "Sec-Fetch-Site: cross-site") == 403)
        #expect(try status("GET", "/api/credentials/x/login/code") == 404)
        #expect(try status("POST", "/api/bindings") == 405)
        // What is refused is not read, however long it says that it is.
        let refused = try console.send(
            "POST", "/api/try", fields: ["Content-Length: 100000000"])
        #expect(refused.status == 401)
        #expect(try console.send("POST", "/session", body: String(repeating: "x", count: 2000)).status == 413)
    }

    @Test func smugglingIsRefused() throws {
        let place = try Place()
        defer { place.end() }
        let both = ["Content-Length: 5", "Transfer-Encoding: chunked"]
        #expect(try place.console.send("POST", "/session", fields: both).status == 400)
        #expect(try place.console.send("GET", "/api/bindings", fields: ["Host: 127.0.0.1"]).status == 400)
    }

    @Test func bindingsAreTried() throws {
        let place = try Place()
        defer { place.end() }
        let session = try place.console.session()
        let answer = try session.members(
            "POST", "/try", body: #"{"method": "GET", "target": "/fruits/7", "fields": [["X-A", "b"]]}"#)
        #expect(answer["status"] as? Int == 200 && answer["body"] as? String == "[1,2,3]")
        #expect(answer["cut"] as? Bool == false && answer["milliseconds"] as? Double != nil)
        #expect(place.origin.allReceived.contains("GET /fruits/7 "))
        for bad in [
            "{}", #"{"method": "GET", "target": "fruits"}"#, #"{"method": "G T", "target": "/"}"#,
            #"{"method": "GET", "target": "/ HTTP/1.1\r\nX: y"}"#,
            #"{"method": "GET", "target": "/", "fields": [["Content-Length", "5"]]}"#,
            #"{"method": "GET", "target": "/", "fields": [["X", "a\r\nY: b"]]}"#,
            #"{"method": "GET", "target": "/", "base64": "%"}"#,
        ] {
            try session.ask("POST", "/try", body: bad).expectProblem(.badBody)
        }
        _ = try session.members("POST", "/try", body: #"{"method": "POST", "target": "/plain", "base64": "aGk="}"#)
        #expect(place.origin.allReceived.contains("\r\n\r\nhi"))
    }

    @Test func driftAppears() throws {
        let place = try Place(answering: #"[1,"two",null]"#)
        defer { place.end() }
        let session = try place.console.session()
        let before = try session.members("GET", "/drift")
        #expect((before["findings"] as? [Any])?.isEmpty == true)
        let tried = try session.members("POST", "/try", body: #"{"method": "GET", "target": "/fruits/1"}"#)
        #expect(tried["status"] as? Int == 502)
        let findings = try session.members("GET", "/drift")["findings"] as? [[String: Any]]
        let finding = try #require(findings?.first)
        #expect(finding["path"] as? String == "$[]" && finding["declared"] as? String == "Int")
        #expect(finding["found"] as? String == "string, null" && finding["count"] as? Int == 2)
        #expect(finding["proposal"] as? String == "(Int | String)?")
        #expect((finding["first_at"] as? Int ?? 0) > 1_700_000_000)
    }

    @Test func reloadsAreRemembered() throws {
        let place = try Place()
        defer { place.end() }
        let session = try place.console.session()
        try place.gateway.write(Place.page(place.folder, place.origin, fresh: "5s") + "\n  GET /new: {to: origin /new}")
        #expect(try session.members("POST", "/reload")["accepted"] as? Bool == true)
        try place.gateway.write("bindngs: {}\n")
        #expect(try session.ask("POST", "/reload").status == 409)
        let reloads = try #require(try session.members("GET", "/reloads")["reloads"] as? [[String: Any]])
        #expect(reloads.map { $0["accepted"] as? Bool } == [false, true, true])
        #expect(reloads.map { $0["cause"] as? String } == ["request", "request", "start"])
        let faults = try #require(reloads[0]["faults"] as? [String])
        #expect(faults.count == 1 && faults[0].contains("did you mean 'bindings'?"), "\(faults)")
        let changes = try #require(reloads[1]["changes"] as? [[String: Any]])
        #expect(
            changes.map { $0["key"] as? String } == [
                #"bindings."GET /fruits/{id}".cache.fresh"#, #"bindings."GET /new""#,
            ])
        #expect(changes[0]["before"] as? String == "1h" && changes[0]["after"] as? String == "5s")
        let yaml = try session.ask("GET", "/configuration")
        #expect(yaml["Content-Type"] == "text/yaml; charset=utf-8")
        #expect(yaml.text.contains("fresh: 5s") && !yaml.text.contains("s3cret"))
        #expect(!(try session.ask("GET", "/bindings").text.contains("s3cret")))
        #expect(!(try session.ask("GET", "/reloads").text.contains("s3cret")))
    }

    @Test func theCacheIsLookedAtAndPurged() throws {
        let place = try Place()
        defer { place.end() }
        let session = try place.console.session()
        _ = try place.gateway.get("/fruits/3")
        let entries = try session.members("GET", "/cache?binding=GET%20/fruits/%7Bid%7D")["entries"] as? [[String: Any]]
        #expect(entries?.count == 1)
        let explained = try session.ask("GET", "/cache/explain?request=GET%20/fruits/3")
        #expect(explained.status == 200 && explained.text.contains("fresh"), "\(explained.text)")
        #expect(try session.members("DELETE", "/cache?all=true")["purged"] as? Int == 1)
        #expect((try session.members("GET", "/cache")["entries"] as? [Any])?.isEmpty == true)
        let upstreams = try session.members("GET", "/upstreams")["upstreams"] as? [[String: Any]]
        let endpoints = try #require(upstreams?.first?["endpoints"] as? [[String: Any]])
        #expect(endpoints.first?["state"] as? String == "well")
        #expect(try session.ask("GET", "/metrics").text.contains("sluice_requests_total"))
    }

    @Test func aDaemonThatIsGoneIsToldOf() throws {
        let place = try Place()
        defer { place.end() }
        let session = try place.console.session()
        place.gateway.end()
        try session.ask("GET", "/bindings").expectProblem(.connectionRefused)
        try session.ask("POST", "/try", body: #"{"method": "GET", "target": "/"}"#).expectProblem(.connectionRefused)
        #expect(try place.console.send("GET", "/").status == 200)
    }

    /// An admin socket that answers with the beginning of a stream, and tells when nobody listens any more.
    private static let stream = #"""
        import socket, sys
        server = socket.socket(socket.AF_UNIX)
        server.bind(sys.argv[1])
        server.listen(8)
        print("ready", flush=True)
        while True:
            client, _ = server.accept()
            head = b""
            while b"\r\n\r\n" not in head:
                piece = client.recv(65536)
                if not piece: break
                head += piece
            if not head: continue
            print(head.split(b"\r\n")[0].decode(), flush=True)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n"
                           b"\r\n6\r\nfirst\n\r\n")
            while client.recv(65536): pass
            print("left", flush=True)
        """#

    /// Each piece at once; and once the page has gone, so has the stream.
    @Test func streamsPassAsTheyCome() throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("admin.sock")
        let admin = try ChildProcess([try Peers.python(), "-c", Self.stream, socket])
        defer { admin.end() }
        try Poll.until("the admin socket is there", holds: { admin.output.contains("ready\n") })
        let console = try ConsolePeer(folder.write("bindings: {}\n", to: "a.yaml"), "--socket", socket)
        defer { console.end() }
        let session = try console.session()
        let client = try console.open("GET", "/api/requests?slow=1s", fields: [session.authorization])
        var text = ""
        while !text.hasSuffix("first\n\r\n"), case .bytes(let bytes) = client.connection.receive() {
            text += String(decoding: bytes, as: UTF8.self)
        }
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"))
        #expect(text.hasSuffix("\r\n\r\n6\r\nfirst\n\r\n"))
        #expect(admin.output.hasSuffix("GET /requests?slow=1s HTTP/1.1\n"))
        client.connection.end()
        try Poll.until("the stream has ended", holds: { admin.output.hasSuffix("left\n") })
    }

    @Test func itSaysWhatStandsInItsWay() throws {
        let place = try Place()
        defer { place.end() }
        let again = try Daemon.run(
            "console", "--no-open", "--config", place.gateway.file, "--port", "\(place.console.port)")
        #expect(again.exitStatus == 1)
        #expect(again.errors.contains("is in use by another program; choose another with --port"))
        place.console.process.signal(SIGINT)
        #expect(try place.console.process.waitForExit() == 0)
        place.gateway.end()
        let alone = try Daemon.run("console", "--no-open", "--config", place.gateway.file)
        #expect(alone.exitStatus == 1 && alone.errors.contains("is the daemon running, with 'admin:'"))
    }

    /// The browser is led to the link by a file of one's own: what a program is called with is seen by everybody.
    @Test func theLinkIsOnNoCommandLine() throws {
        let place = try Place()
        defer { place.end() }
        let bin = try TemporaryFolder()
        let runtime = try TemporaryFolder()
        _ = try bin.writeProgram("#!/bin/sh\nprintf '%s\\n' \"$@\" > \(bin.file("opened"))\n", to: "xdg-open")
        let console = try ChildProcess(
            [Daemon.binary, "console", "--config", place.gateway.file],
            environment: [
                "DISPLAY": ":77", "PATH": bin.path + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": runtime.path,
            ])
        defer { console.end() }
        try Poll.until("something is opened", holds: { bin.read("opened").hasSuffix("\n") })
        let address = bin.read("opened").trimmingCharacters(in: .newlines)
        let link = try #require(console.output.split(separator: "\n").first)
        #expect(address.hasPrefix("file://\(runtime.path)/") && !address.contains("link="))
        let file = String(address.dropFirst("file://".count))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(link))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        console.end()
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
