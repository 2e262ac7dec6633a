import Foundation
import Testing

/// Archives as programs write them.
extension RecordingTests {
    private static func entry(_ path: String, body: String = "1") -> String {
        """
        {"startedDateTime":"2026-01-31T12:00:00.000Z","time":1,
        "request":{"method":"GET","url":"http://a.example\(path)","headers":[]},
        "response":{"status":200,"headers":[],"content":{"text":"\(body)"}}}
        """
    }

    /// A byte order mark stands in front of the archive (RFC 8259 §8.1).
    private static func imported(_ entries: [String], in folder: TemporaryFolder) throws -> ChildProcess {
        try imported(text: "\u{FEFF}" + #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#, in: folder)
    }

    private static func imported(text: String, in folder: TemporaryFolder) throws -> ChildProcess {
        let page = try folder.write(
            "listen: 127.0.0.1:0\nupstreams: {a: {url: \"http://a.example\"}}\nbindings: {GET /**: {to: a /**}}\n",
            to: "sluice.yaml")
        let archive = try folder.write(text, to: "a.har")
        return try Daemon.run("har", "import", archive, "--to", folder.file("r"), "--config", page)
    }

    /// What it lacks is told in words of the archive, with the place.
    @Test(arguments: [
        ("{}", "it has no member 'log'"), (#"{"log":{}}"#, "'log' has no member 'entries'"),
        (#"{"log":null}"#, "'log': an object was expected"), ("[1]", "an object was expected"),
        (#"{"log":{"entries":{}}}"#, "'log.entries': an array was expected"), ("<html>", "it is no JSON"),
    ])
    func whatIsNoArchiveIsTold(_ text: String, _ reason: String) throws {
        let folder = try TemporaryFolder()
        let run = try Self.imported(text: text, in: folder)
        let words = "this is no HTTP archive: \(reason); save it in the browser as HAR with content"
        #expect(run.exitStatus == 1 && run.errors == "sluice: \(folder.file("a.har")): \(words)\n", "\(run.errors)")
    }

    @Test func aMarkAndFaultyEntriesCostNoOther() throws {
        let folder = try TemporaryFolder()
        let faulty = [
            #"{"request":{"method":"GET","url":"http://a.example/x"},"response":null}"#,
            #"{"request":{"method":"GET","headers":[]},"response":{"status":200}}"#,
            #"{"request":{"method":"GET","url":"u","headers":[{"name":"har-5up3rs3cret"}]},"response":{"status":200}}"#,
        ]
        let run = try Self.imported(
            [Self.entry("/a")] + faulty + Array(repeating: "7", count: 9) + [Self.entry("/b")], in: folder)
        #expect(run.exitStatus == 0 && run.output.contains("2 exchanges"), "\(run.errors)")
        #expect(try Self.files(folder.file("r")).count == 2)
        for line in [
            "not taken: entry 2: response: an object was expected\n", "not taken: entry 3: request: 'url' is missing\n",
            "not taken: entry 4: request.headers[0]: 'value' is missing\n",
            "not taken: entry 6: an object was expected\n",
            "not taken: 12 of 14 entries cannot be read\n",
        ] {
            #expect(run.errors.contains(line), "\(line) in \(run.errors)")
        }
        #expect(!run.errors.contains("entry 7:") && !run.errors.contains("5up3rs3cret"), "\(run.errors)")
    }

    @Test func aFolderThatIsNotThereIsTold() throws {
        let folder = try TemporaryFolder()
        let missing = folder.file("none")
        let export = try Daemon.run("har", "export", missing)
        #expect(export.exitStatus == 2 && export.output.isEmpty)
        #expect(export.errors == "sluice: \(missing): cannot be read: there is no such folder\n")
        let page = try folder.write("listen: 127.0.0.1:0\n" + HealthTests.configuration, to: "sluice.yaml")
        let serve = try Daemon.run("serve", page, "--replay", missing)
        #expect(serve.exitStatus == 2 && serve.errors.contains("there is no such folder"), "\(serve.errors)")
        let other = try TemporaryFolder()
        let empty = try Daemon.run("har", "export", other.path)
        #expect(empty.exitStatus == 0 && empty.errors.contains("there is no recorded exchange in it"))
    }

    /// More than a recording may have: its entry alone is left aside.
    @Test func aLongBodyCostsNoOther() throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "x", count: (16 << 20) + 1)
        let run = try Self.imported([Self.entry("/a"), Self.entry("/long", body: long)], in: folder)
        #expect(run.exitStatus == 0 && run.output.contains("1 exchange "), "\(run.errors)")
        #expect(run.errors.contains("GET http://a.example/long: its content is larger than 16 MiB"), "\(run.errors)")
        #expect(try Self.files(folder.file("r")).count == 1)
    }
}
