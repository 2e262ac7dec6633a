import Foundation
import Testing

/// `cache: shared:`: gateways that share a Redis, which may do what it likes without a client noticing.
@Suite(.needsPeers) struct SharedStoreTests {
    private let origin: TargetOrigin
    private let redis: RedisServer

    init() throws {
        origin = try TargetOrigin()
        redis = try RedisServer()
    }

    /// - Parameter disk: a folder for what is behind memory, if any.
    private func gateway(_ url: String? = nil, disk: String? = nil) throws -> Daemon {
        try Daemon(
            """
            cache: {shared: "\(url ?? redis.url)"\(disk.map { ", disk: \"\($0)\"" } ?? "")}
            loops: 1
            upstreams:
              origin: {url: "\(origin.url)"}
            bindings:
              ANY /**: {to: origin /**, cache: {}}
            """)
    }

    private func end(_ gateways: Daemon...) {
        gateways.forEach { $0.end() }
        redis.end()
        origin.end()
    }

    /// Right in every case, whoever has it.
    @discardableResult
    private func get(_ gateway: Daemon, _ target: String) throws -> String {
        let response = try gateway.get(target)
        #expect(response.status == 200, "\(target): \(gateway.process.errors)")
        #expect(response.text == TargetOrigin.body(target))
        return response["Cache-Status"] ?? ""
    }

    /// Asks one gateway for new targets until the other one finds the last of them.
    private func expectSharing(_ first: Daemon, _ second: Daemon, _ name: String) throws {
        var number = 0
        try Poll.until("\(name): one gateway has what the other fetched") {
            number += 1
            try get(first, "/\(name)/\(number)")
            usleep(20_000)
            return try get(second, "/\(name)/\(number)").hasSuffix("detail=SHARED")
        }
    }

    @Test func theSecondDoesNotAskTheUpstream() throws {
        let (first, second) = (try gateway(), try gateway())
        defer { end(first, second) }
        try get(first, "/a")
        try Poll.until("it is stored", holds: { try redis.keys().contains { $0.hasPrefix("sluice:2:entry:") } })
        #expect(try get(second, "/a").hasSuffix("detail=SHARED"))
        #expect(try get(second, "/a").contains("; hit; ttl="))
        #expect(origin.count("/a") == 1)
        // Every key goes by itself.
        for key in try redis.keys() where key.contains(":entry:") {
            #expect(try redis.tell("TTL \(key)").contains { $0.hasPrefix(":8") || $0.hasPrefix(":9") })
        }
    }

    @Test func invalidationReachesTheOther() throws {
        let (first, second) = (try gateway(), try gateway())
        defer { end(first, second) }
        try expectSharing(first, second, "x")
        try get(first, "/a")
        try get(second, "/a")
        #expect(try first.client().request("DELETE", "/a").status == 204)
        let before = origin.count("/a")
        try Poll.until("the other one asks anew") {
            try get(second, "/a")
            return origin.count("/a") > before ? true : nil
        }
    }

    /// What was written while the store was away is gone from it once it is back, though the gateway was killed in
    /// between.
    @Test func anInvalidationOutlivesTheGateway() throws {
        let folder = try TemporaryFolder()
        try redis.tell("ACL SETUSER gate on >opener ~* &* +@all")
        let url = "redis://gate:opener@127.0.0.1:\(redis.port)/0"
        let first = try gateway(url, disk: folder.file("disk"))
        defer { end(first) }
        try get(first, "/a")
        try Poll.until("it is stored", holds: { try redis.keys().contains { $0.hasPrefix("sluice:2:entry:") } })
        try redis.tell("ACL SETUSER gate off", "CLIENT KILL USER gate")
        #expect(try first.client().request("DELETE", "/a").status == 204)
        first.process.signal(SIGKILL)
        _ = try first.process.waitForExit()
        try redis.tell("ACL SETUSER gate on")
        let next = try gateway(url, disk: folder.file("disk"))
        defer { next.end() }
        #expect(try get(next, "/a").contains("fwd=uri-miss"))
        #expect(try get(next, "/a").contains("hit"))
    }

    @Test func stoppedAndRestarted() throws {
        let (first, second) = (try gateway(), try gateway())
        defer { end(first, second) }
        try expectSharing(first, second, "before")
        redis.end()
        for number in 0..<20 {
            try get(first, "/down/\(number)")
            try get(second, "/down/\(number)")
        }
        try redis.restart()
        try expectSharing(first, second, "after")
        #expect(first.process.errors.contains("serving goes on without it"))
        #expect(first.process.errors.contains("is back"))
    }

    @Test func frozen() throws {
        let (first, second) = (try gateway(), try gateway())
        defer { end(first, second) }
        try expectSharing(first, second, "before")
        try redis.freeze()
        for number in 0..<50 { try get(first, "/slow/\(number)") }
        redis.thaw()
        try expectSharing(first, second, "after")
    }

    /// Lost, of another type, or written by somebody else: a miss, and never an answer.
    @Test(arguments: ["FLUSHALL", "LPUSH", "SET", "DEL"])
    func garbage(_ command: String) throws {
        let (first, second) = (try gateway(), try gateway())
        defer { end(first, second) }
        try expectSharing(first, second, "before")
        if command == "FLUSHALL" {
            try redis.tell(command)
        } else {
            for key in try redis.keys() {
                try redis.tell("DEL \(key)", command == "DEL" ? "PING" : "\(command) \(key) garbage")
            }
        }
        for number in 1..<5 {
            try get(second, "/before/\(number)")
            try get(first, "/other/\(number)")
        }
        try expectSharing(first, second, "after")
    }

    @Test(arguments: ["wrong", ""])
    func aWrongPasswordIsSaid(_ password: String) throws {
        let credentials = password.isEmpty ? "" : ":\(password)@"
        let gateway = try gateway("redis://\(credentials)127.0.0.1:\(redis.port)")
        defer { end(gateway) }
        for number in 0..<5 { #expect(try get(gateway, "/\(number)") == "sluice; fwd=uri-miss; stored") }
        let said = gateway.process.errors
        #expect(said.contains(password.isEmpty ? "asks for a password" : "refuses the password"), "\(said)")
        #expect(!said.contains("wrong;") && !said.contains(":wrong"))
    }

    @Test func nobodyThere() throws {
        let gateway = try gateway("redis://127.0.0.1:\(try LoopbackAddress.freePort())")
        defer { end(gateway) }
        for number in 0..<5 { try get(gateway, "/\(number)") }
        #expect(gateway.process.errors.contains("Connection refused"))
    }
}
