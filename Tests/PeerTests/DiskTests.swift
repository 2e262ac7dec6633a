import Foundation
import Testing

/// `cache: disk:`: what is stored outlives the process, however that ends, and nothing wrong is ever answered.
@Suite struct DiskTests {
    private static func configuration(_ origin: TargetOrigin, _ disk: String) -> String {
        """
        cache: {disk: "\(disk)", disk-bytes: 64MiB}
        loops: 2
        upstreams:
          origin: {url: "\(origin.url)"}
        bindings:
          ANY /**:
            to: origin /**
            cache: {}
            # Sets and dictionaries, which have another order in every process: keys have none.
            error: {404: {message: a}, 410: {message: b}, 418: {message: c}, 500: {message: d}}
            retry: {on: [connect, reset, 500, 502, 503, 504]}
        """
    }

    /// Kills of the whole run; the suite is content with a few.
    private static var kills: Int {
        ProcessInfo.processInfo.environment["SLUICE_KILLS"].flatMap { Int($0) } ?? 10
    }

    /// Killed at random moments while answers are written: every answer afterwards is right to the byte.
    @Test func killedWhileWriting() throws {
        let origin = try TargetOrigin()
        defer { origin.end() }
        let folder = try TemporaryFolder()
        var hits = 0
        for round in 0..<Self.kills {
            let gateway = try Daemon(Self.configuration(origin, folder.file("disk")))
            let kill = Thread {
                usleep(UInt32.random(in: 1000...150_000))
                gateway.process.signal(SIGKILL)
            }
            // Old targets and new ones, until it is dead.
            let client = try gateway.client()
            var next = max(0, round * 40 - 100)
            kill.start()
            while gateway.process.exitStatus == nil {
                // Paths without a query, and with one or another.
                let target = "/\(next / 3)" + ["", "?a=1", "?a=2"][next % 3]
                guard let response = try? client.get(target), response.isComplete else { break }
                #expect(response.status == 200)
                #expect(response.text == TargetOrigin.body(target), "\(target) after \(round) kills")
                if response["Cache-Status"]?.contains("detail=DISK") == true { hits += 1 }
                next += 1
            }
            _ = try gateway.process.waitForExit()
            #expect(!gateway.process.errors.contains("damaged"), "\(gateway.process.errors)")
        }
        #expect(hits > 0)
    }

    @Test func survivesARestartAndInvalidation() throws {
        let origin = try TargetOrigin()
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let configuration = Self.configuration(origin, folder.file("disk"))
        let first = try Daemon(configuration)
        for target in ["/a", "/b"] { #expect(try first.get(target).text == TargetOrigin.body(target)) }
        #expect(first.end() == 0)
        let second = try Daemon(configuration)
        let again = try second.get("/a")
        #expect(again["Cache-Status"]?.hasSuffix("detail=DISK") == true)
        #expect(again.text == TargetOrigin.body("/a"))
        #expect(try second.client().request("PUT", "/b").status == 204)
        // At once: an invalidation is on record when the answer to its request is out (RFC 9111 §4.4).
        second.process.signal(SIGKILL)
        _ = try second.process.waitForExit()
        let third = try Daemon(configuration)
        defer { third.end() }
        #expect(try third.get("/a")["Cache-Status"]?.hasSuffix("detail=DISK") == true)
        #expect(try third.get("/b")["Cache-Status"] == "sluice; fwd=uri-miss; stored")
        #expect(origin.count("/a") == 1)
    }

    /// Every file of the folder is cut under it, then the folder goes: that costs what was stored, and not the process.
    @Test func cutWhileServing() throws {
        let origin = try TargetOrigin()
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let disk = folder.file("disk")
        let gateway = try Daemon(Self.configuration(origin, disk))
        defer { gateway.end() }
        func serve(_ round: Int) throws {
            for number in 0..<20 {
                let target = "/\(round)/\(number)"
                #expect(try gateway.get(target).text == TargetOrigin.body(target))
                #expect(try gateway.client().request("PUT", target).status == 204)
            }
        }
        try serve(0)
        for (round, name) in try FileManager.default.contentsOfDirectory(atPath: disk).sorted().enumerated() {
            #expect(truncate(disk + "/" + name, 0) == 0)
            try serve(round + 1)
        }
        try FileManager.default.removeItem(atPath: disk)
        try serve(100)
        try Poll.until("it is said") { () -> Bool? in
            try serve(101)
            return gateway.process.errors.contains("was removed, renamed or replaced") ? true : nil
        }
        #expect(gateway.end() == 0)
    }

    /// The gateway serves without a folder, and says why.
    @Test func aFolderThatCannotBeUsed() throws {
        let origin = try TargetOrigin()
        defer { origin.end() }
        let folder = try TemporaryFolder()
        let gateway = try Daemon(Self.configuration(origin, folder.file("none/disk")))
        defer { gateway.end() }
        #expect(try gateway.get("/a").text == TargetOrigin.body("/a"))
        try Poll.until("it is said", holds: { gateway.process.errors.contains("make the folder above it") })
        let owner = try Daemon(Self.configuration(origin, folder.file("disk")))
        defer { owner.end() }
        // It has the folder once there is something in it.
        try Poll.until("the folder is taken") {
            (try? FileManager.default.contentsOfDirectory(atPath: folder.file("disk")))?.isEmpty == false ? true : nil
        }
        let other = try Daemon(Self.configuration(origin, folder.file("disk")))
        defer { other.end() }
        #expect(try other.get("/a").text == TargetOrigin.body("/a"))
        let words = "is held by another process (\(owner.process.pid))"
        try Poll.until("it is said", holds: { other.process.errors.contains(words) })
    }
}
