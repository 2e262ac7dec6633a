import Foundation
import Testing

/// `sluice cache`, with the daemon and its admin socket as people meet them.
@Suite struct CacheTests {
    /// A daemon with an admin socket, an origin that answers everything, and a file that names both.
    private final class Place {
        let folder: TemporaryFolder
        let origin: ScriptedOrigin
        let gateway: Daemon
        let file: String
        let socket: String

        init() throws {
            folder = try TemporaryFolder()
            socket = folder.file("admin.sock")
            origin = try ScriptedOrigin(
                answering: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Groups: \"orchard\"\r\n"
                    + "Content-Length: 7\r\n\r\n[1,2,3]")
            let configuration = """
                admin: \(socket)
                loops: 2
                upstreams:
                  origin: {url: "\(origin.url)"}
                bindings:
                  GET /fruits:
                    to: origin /fruits
                    params: {limit: Int = 10}
                    value: [Int]
                    cache: {fresh: 1h, stale-while-revalidate: 1h, tags: [fruit, food]}
                  GET /trees/{id}:
                    to: origin /trees/{id}
                    params: {id: Int}
                    cache: {fresh: 1h, tags: tree}
                """
            gateway = try Daemon(configuration)
            file = try folder.write(configuration, to: "sluice.yaml")
        }

        func end() {
            gateway.end()
            origin.end()
        }

        func fill() throws {
            for target in ["/fruits", "/fruits?limit=3", "/trees/1", "/trees/2"] {
                #expect(try gateway.get(target).status == 200)
            }
        }

        /// - Returns: what `sluice cache` printed.
        func cache(_ arguments: String..., exits status: Int32 = 0) throws -> String {
            let process = try ChildProcess([Daemon.binary, "cache"] + arguments + ["--config", file])
            #expect(try process.waitForExit() == status, "\(arguments): \(process.errors)")
            return process.output + process.errors
        }

        func status(_ target: String) throws -> String? { try gateway.get(target)["Cache-Status"] }
    }

    @Test func listsShowsAndExplains() throws {
        let place = try Place()
        defer { place.end() }
        #expect(try place.cache("list") == "nothing is stored\n")
        #expect(try place.cache("explain", "GET /fruits?limit=3").hasPrefix("miss (uri-miss)"))
        try place.fill()
        #expect(try place.status("/fruits?limit=3")?.hasPrefix("sluice; hit") == true)
        let list = try place.cache("list")
        #expect(list.split(separator: "\n").count == 5)
        for word in ["STATE", "fresh", "/fruits?limit=3", "GET /trees/{id}", "fruit,food"] {
            #expect(list.contains(word), "\(word) in \(list)")
        }
        #expect(try place.cache("list", "--tag", "tree", "--limit", "1").contains("there is more: --after"))
        #expect(try place.cache("list", "--state", "stale") == "nothing is stored of that\n")
        let page = try place.cache("show", "/fruits?limit=3")
        for word in ["binding     GET /fruits", "ETag: ", "[1,2,3]", "groups      orchard", "while-revalidate 3600 s"] {
            #expect(page.contains(word), "\(word) in \(page)")
        }
        // 10 is the default: another spelling of the same.
        let report = try place.cache("explain", "/fruits?limit=10")
        #expect(report.hasPrefix("hit (fresh)"), "\(report)")
        #expect(try place.cache("explain", "/fruits", "-H", "Cache-Control: no-cache").hasPrefix("miss (request-no"))
        let stats = try place.cache("stats")
        for word in ["entries    4", "hits       1 (20 % of 5)"] { #expect(stats.contains(word), "\(stats)") }
    }

    @Test func jsonIsForPrograms() throws {
        let place = try Place()
        defer { place.end() }
        try place.fill()
        for arguments in [["list"], ["show", "/fruits"], ["explain", "/fruits"], ["stats"], ["purge", "/fruits"]] {
            let command = [Daemon.binary, "cache"] + arguments + ["--json", "--socket", place.socket]
            let process = try ChildProcess(command)
            #expect(try process.waitForExit() == 0)
            #expect(try JSONSerialization.jsonObject(with: Data(process.output.utf8)) is [String: Any])
        }
    }

    static let purges: [([String], String, Set<String>)] = [
        (["/fruits"], "1 stored answer purged", ["/fruits"]),
        (["--binding", "GET /trees/{id}"], "2 stored answers purged", ["/trees/1", "/trees/2"]),
        (["--tag", "food"], "2 stored answers purged", ["/fruits", "/fruits?limit=3"]),
        (["--group", "orchard"], "4 stored answers purged", ["/fruits", "/fruits?limit=3", "/trees/1", "/trees/2"]),
        (["--all"], "4 stored answers purged", ["/fruits", "/fruits?limit=3", "/trees/1", "/trees/2"]),
        (["--tag", "nothing"], "0 stored answers purged", []),
    ]

    @Test(arguments: purges)
    func purge(_ arguments: [String], _ words: String, _ gone: Set<String>) throws {
        let place = try Place()
        defer { place.end() }
        try place.fill()
        let process = try ChildProcess([Daemon.binary, "cache", "purge"] + arguments + ["--config", place.file])
        #expect(try process.waitForExit() == 0)
        #expect(process.output == words + "\n", "\(process.errors)")
        for target in ["/fruits", "/fruits?limit=3", "/trees/1", "/trees/2"] {
            let isGone = try place.status(target)?.contains("uri-miss") == true
            #expect(isGone == gone.contains(target), "\(target)")
        }
    }

    /// By the key in the list, and only that one.
    @Test func purgesByKey() throws {
        let place = try Place()
        defer { place.end() }
        try place.fill()
        let row = try #require(try place.cache("list", "/trees/1").split(separator: "\n").last)
        let key = try #require(row.split(separator: " ").last)
        #expect(try place.cache("show", String(key)).contains("/trees/1"))
        #expect(try place.cache("purge", "--key", String(key)) == "1 stored answer purged\n")
        #expect(try place.cache("list", "/trees/1") == "nothing is stored of that\n")
        #expect(try place.status("/trees/2")?.hasPrefix("sluice; hit") == true)
    }

    @Test func aSoftPurgeIsServedWhileRevalidating() throws {
        let place = try Place()
        defer { place.end() }
        try place.fill()
        #expect(try place.cache("purge", "--tag", "fruit", "--soft") == "2 stored answers marked stale\n")
        #expect(try place.cache("list", "--state", "stale").split(separator: "\n").count == 3)
        #expect(try place.cache("explain", "/fruits").hasPrefix("hit (stale-while-revalidate): A purge has made it"))
        #expect(try place.status("/fruits")?.hasSuffix("detail=stale-while-revalidate") == true)
        try Poll.until(
            "it has been fetched anew", holds: { try place.cache("explain", "/fruits").hasPrefix("hit (fresh)") })
    }

    @Test func saysWhatIsWrong() throws {
        let place = try Place()
        defer { place.end() }
        #expect(try place.cache("show", "/fruits", exits: 1).contains("Nothing is stored under that"))
        #expect(try place.cache("explain", "GET /fruits?limit=x", exits: 1).contains("limit: expected Int, found 'x'"))
        #expect(try place.cache("explain", "GET /nothing", exits: 1).contains("Nothing is bound"))
        #expect(try place.cache("list", "--state", "old", exits: 1).contains("expected fresh or stale"))
        #expect(try place.cache("purge", exits: 64).contains("say what to purge"))
        #expect(try place.cache("purge", "--all", "/fruits", exits: 64).contains("say what to purge"))
        place.gateway.end()
        #expect(!FileManager.default.fileExists(atPath: place.socket))
        #expect(try place.cache("list", exits: 1).contains("is the daemon running"))
        let nowhere = place.folder.file("nowhere")
        let lost = try Daemon.run("cache", "list", "--socket", nowhere + "/admin.sock")
        #expect(lost.errors.contains("the folder '\(nowhere)' is not there; is the daemon running"), "\(lost.errors)")
        let bare = try place.folder.write(CommandTests.good, to: "bare.yaml")
        let process = try Daemon.run("cache", "list", "--config", bare)
        #expect(process.exitStatus == 1)
        let usual = geteuid() == 0 ? "admin: /run/sluice/admin.sock\n" : "/sluice.sock\n"
        #expect(process.errors.contains(usual), "\(process.errors)")
    }

    /// The file is its owner's alone, and speaks HTTP as all listeners do.
    @Test func theSocketIsTheOwnersAlone() throws {
        let place = try Place()
        defer { place.end() }
        let attributes = try FileManager.default.attributesOfItem(atPath: place.socket)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        for garbage in ["GARBAGE\r\n\r\n", "GET /cache HTTP/1.1\r\n\r\n", "GET /cache HTTP/1.1\r\nHost: a b\r\n\r\n"] {
            let client = HTTPClient(try Connection(unixPath: place.socket))
            client.connection.send(garbage)
            #expect(try client.response().status == 400)
        }
        let client = HTTPClient(try Connection(unixPath: place.socket))
        #expect(try client.get("/fruits").status == 404)
        #expect(try client.get("/cache").status == 200)
    }

    /// A reload opens the socket, moves it, and closes it.
    @Test func aReloadMovesTheSocket() throws {
        let folder = try TemporaryFolder()
        let gateway = try Daemon(HealthTests.configuration)
        defer { gateway.end() }
        for name in ["a", "b"] {
            try gateway.reload("admin: \(folder.file(name))\n" + HealthTests.configuration)
            try Poll.until(
                "it answers at \(name)",
                holds: {
                    guard let connection = try? Connection(unixPath: folder.file(name)) else { return false }
                    return try HTTPClient(connection).get("/cache/stats").status == 200
                })
        }
        try gateway.reload(HealthTests.configuration)
        try Poll.until("it is closed", holds: { (try? Connection(unixPath: folder.file("b"))) == nil })
        #expect((try? Connection(unixPath: folder.file("a"))) == nil)
    }
}
