import Foundation
import Testing

/// Secrets as engines of containers mount them, on real mounts.
@Suite(.needsMounts) struct SecretMountTests {
    private static func page(_ token: String, upstream: String = "http://127.0.0.1:9") -> String {
        """
        listen: 127.0.0.1:0
        upstreams:
          fruit: {url: "\(upstream)", bearer: {file: \(token)}}
        bindings:
          GET /fruits: {to: fruit /fruits}
        """
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var token: String
        /// What makes it, in an empty /mnt of root's.
        var script: String
        /// What `check` says of it; nothing where nil.
        var word: String?
        var exitStatus: Int32 = 0
        var testDescription: String { "\(token): \(word ?? "accepted")" }
    }

    static let cases = [
        Case(token: "/run/secrets/token", script: "printf t > $t; chmod 444 $t"),
        // The kubelet: a link into a folder that is swapped as a whole, on a mount that is read-only.
        Case(
            token: "/mnt/k8s/token",
            script: """
                mkdir /mnt/k8s; mount -t tmpfs -o mode=755 tmpfs /mnt/k8s; cd /mnt/k8s
                mkdir ..v1; printf t > ..v1/token; chmod 644 ..v1/token; ln -s ..v1 ..data; ln -s ..data/token token
                cd /; mount -o remount,ro /mnt/k8s
                """),
        Case(
            token: "/mnt/open/token", script: "mkdir -m 777 /mnt/open; printf t > $t; chmod 644 $t",
            word: "warning: "),
        Case(
            token: "/mnt/open/token", script: "mkdir -m 777 /mnt/open; printf t > $t; chmod 664 $t",
            word: "can be written by others", exitStatus: 1),
    ]

    /// `check` and `serve` agree.
    @Test(arguments: cases) func theRuleOnRealMounts(_ one: Case) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Self.page(one.token), to: "sluice.yaml")
        let script = """
            set -e; t=$1
            mount -t tmpfs -o mode=755 tmpfs /mnt
            mount -t tmpfs -o mode=755 tmpfs /run; mkdir /run/secrets
            \(one.script)
            exec "$0" check "$2"
            """
        let process = try MountNamespace.run(
            script, Daemon.binary, one.token, path, environment: ["container": "test"])
        #expect(try process.waitForExit() == one.exitStatus, "\(process.errors)")
        if let word = one.word {
            #expect(process.errors.contains(word), "\(process.errors)")
        } else {
            #expect(process.errors.isEmpty, "\(process.errors)")
        }
    }

    /// A swap of `..data` brings the new token to the upstream, without a reload.
    @Test func rotationIsNoticed() throws {
        let folder = try TemporaryFolder()
        let origin = try ScriptedOrigin(answering: BearerTests.ok)
        defer { origin.end() }
        let port = try LoopbackAddress.freePort()
        let page = Self.page("/mnt/token", upstream: origin.url).replacingOccurrences(of: ":0\n", with: ":\(port)\n")
        let path = try folder.write(page, to: "sluice.yaml")
        #expect(mkfifo(folder.file("swap"), 0o600) == 0)
        let script = """
            set -e
            mount -t tmpfs -o mode=755 tmpfs /mnt; cd /mnt
            mkdir ..v1 ..v2; printf first > ..v1/token; printf second > ..v2/token; chmod 644 ..v?/token
            ln -s ..v1 ..data; ln -s ..data/token token
            "$0" serve "$1" & daemon=$!
            trap 'kill $daemon' TERM
            read -r _ < "$2"
            ln -s ..v2 ..data.new; mv -T ..data.new ..data
            wait $daemon || wait $daemon
            """
        let process = try MountNamespace.run(
            script, Daemon.binary, path, folder.file("swap"), environment: ["container": "test"])
        defer { process.end() }
        try process.waitUntilServing(on: port)
        func asks() throws -> Bool { try HTTPClient(port: port).get("/fruits").status == 200 }
        #expect(try asks())
        #expect(origin.allReceived.contains("Bearer first"))
        let swap = try #require(FileHandle(forWritingAtPath: folder.file("swap")))
        try swap.write(contentsOf: Data("\n".utf8))
        try swap.close()
        try Poll.until("the new token is sent", holds: { try asks() && origin.allReceived.contains("Bearer second") })
    }
}
