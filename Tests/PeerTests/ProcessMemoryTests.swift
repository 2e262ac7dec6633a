import Foundation
import Testing

/// Where secrets stand in the memory of the daemon, and that it leaves none behind.
@Suite(.needsPeers) struct ProcessMemoryTests {
    /// A mapping of a process with the flags that the kernel shows (proc(5), `VmFlags`).
    private struct Mapping {
        var range: Range<UInt64>
        var flags: Set<Substring> = []
    }

    private static func mappings(of process: ChildProcess) throws -> [Mapping] {
        // To its end: the kernel hands it out in pieces, and says no length.
        let smaps = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process.pid)/smaps"))
        let text = String(decoding: try smaps.readToEnd() ?? Data(), as: UTF8.self)
        var mappings: [Mapping] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words[0] == "VmFlags:" { mappings[mappings.count - 1].flags = Set(words.dropFirst()) }
            let ends = words[0].split(separator: "-")
            guard ends.count == 2, let start = UInt64(ends[0], radix: 16), let end = UInt64(ends[1], radix: 16) else {
                continue
            }
            mappings.append(Mapping(range: start..<end))
        }
        return mappings
    }

    private static func contents(of mapping: Mapping, in process: ChildProcess) throws -> Data {
        let memory = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process.pid)/mem"))
        try memory.seek(toOffset: mapping.range.lowerBound)
        return try memory.read(upToCount: mapping.range.count) ?? Data()
    }

    /// Memory that is locked; root may lock it.
    @Test(.enabled(if: geteuid() == 0, "needs root")) func tokensAreInMemoryThatIsKept() throws {
        let bench = try CredentialBench(life: 600)
        defer { bench.end() }
        let gateway = try bench.daemon()
        defer { gateway.end() }
        try bench.signIn(gateway.file)
        #expect(try gateway.get("/me").status == 200)
        let record = bench.folder.read("state/person.token")
        let token = try #require(record.firstRange(of: #""access_token":""#))
        let secret = Data(record[token.upperBound...].prefix { $0 != "\"" }.utf8)
        #expect(secret.count > 20)

        let locked = try Self.mappings(of: gateway.process).filter { $0.flags.contains("lo") }
        let heap = try #require(locked.first { $0.range.count == 4 << 20 }, "\(gateway.process.errors)")
        // Nor is it written to a core file (madvise(2), MADV_DONTDUMP), where one is written at all.
        #expect(heap.flags.contains("dd"))
        #expect(try Self.contents(of: heap, in: gateway.process).range(of: secret) != nil)
        // What is given up is wiped.
        #expect(try Daemon.run("logout", "person", "--config", gateway.file).exitStatus == 0)
        try Poll.until("nothing of it is left") {
            try Self.contents(of: heap, in: gateway.process).range(of: secret) == nil ? true : nil
        }
    }

    /// Whether a program that is ended by SIGABRT leaves a core file here.
    private static let coresAreWritten: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        let command = ["/bin/sh", "-c", "cd \(folder.path) && ulimit -c unlimited && kill -ABRT $$"]
        guard let process = try? ChildProcess(command), (try? process.waitForExit()) != nil else { return false }
        return process.hasDumpedCore
    }()

    @Test(.enabled(if: coresAreWritten, "needs a system that writes core files"), arguments: [false, true])
    func aDaemonThatIsAbortedLeavesNoCore(mayBeDebugged: Bool) throws {
        let folder = try TemporaryFolder()
        let port = try LoopbackAddress.freePort()
        let page = try folder.write("listen: [127.0.0.1:\(port)]\n", to: "sluice.yaml")
        let script = "ulimit -c unlimited && cd \(folder.path) && exec \(Daemon.binary) serve --config \(page)"
        let process = try ChildProcess(
            ["/bin/sh", "-c", script],
            environment: ["SLUICE_ALLOW_DEBUGGER": mayBeDebugged ? "1" : "", "SWIFT_BACKTRACE": "enable=no"])
        try process.waitUntilServing(on: port)
        #expect(process.errors.contains("SLUICE_ALLOW_DEBUGGER") == mayBeDebugged)
        process.signal(SIGABRT)
        #expect(try process.waitForExit() == -SIGABRT)
        #expect(process.hasDumpedCore == mayBeDebugged)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        if !mayBeDebugged { #expect(names == ["sluice.yaml"]) }
    }
}
