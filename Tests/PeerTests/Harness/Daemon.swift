import Foundation

/// The `sluice` that was built beside the tests, serving a configuration on a free port.
final class Daemon: Sendable {
    let port: UInt16
    let process: ChildProcess
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - configuration: YAML without `listen:`.
    ///   - extraListener: one more item of `listen:`.
    ///   - descriptorLimit: how many it may have open (`RLIMIT_NOFILE`).
    ///   - outputs: where its logs go in place of files.
    ///   - files: further files beside the configuration, by name; their folders are made.
    ///   - verb: what runs the gateway.
    ///   - options: further ones of the verb.
    init(
        _ configuration: String, extraListener: String? = nil, descriptorLimit: Int? = nil,
        environment: [String: String] = [:], outputs: FullPipe? = nil, files: [String: String] = [:],
        verb: String = "serve", options: [String] = []
    ) throws {
        folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        port = try LoopbackAddress.freePort()
        let listening = Self.listening(on: port, and: extraListener, configuration)
        let path = try folder.write(listening, to: "sluice.yaml")
        let command = [Self.binary, verb, "--config", path] + options
        let limited = descriptorLimit.map { ["/bin/sh", "-c", "ulimit -n \($0) && exec \"$0\" \"$@\""] + command }
        process = try ChildProcess(limited ?? command, environment: environment, outputs: outputs)
        do {
            try process.waitUntilServing(on: port)
        } catch {
            process.end()
            throw error
        }
    }

    /// In the folder of the test bundle, unless `SLUICE_BINARY` names another.
    static var binary: String {
        ProcessInfo.processInfo.environment["SLUICE_BINARY"] ?? products + "/sluice"
    }

    /// The folder of the test bundle, in which everything is built.
    static var products: String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (bundle as NSString).deletingLastPathComponent
    }

    /// Runs a verb of the command to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
        let process = try ChildProcess([binary] + arguments, environment: environment)
        _ = try process.waitForExit()
        return process
    }

    /// Replaces the configuration file and asks for a reload; it has happened when the daemon behaves accordingly.
    func reload(_ configuration: String) throws {
        try write(configuration)
        process.signal(SIGHUP)
    }

    /// Replaces the configuration file, of which nobody hears.
    func write(_ configuration: String) throws {
        try folder.write(Self.listening(on: port, configuration), to: "sluice.yaml")
    }

    /// The configuration file.
    var file: String { folder.file("sluice.yaml") }

    /// Ends it, and gives back its exit status.
    @discardableResult
    func end() -> Int32? {
        process.end()
        return process.exitStatus
    }

    func client() throws -> HTTPClient {
        try HTTPClient(port: port)
    }

    /// One request on a connection of its own.
    func get(_ target: String, fields: [String] = []) throws -> HTTPResponse {
        try client().get(target, fields: fields)
    }

    /// One request with a JSON body on a connection of its own.
    func post(_ target: String, json: String) throws -> HTTPResponse {
        try client().request("POST", target, fields: ["Content-Type: application/json"], body: json)
    }

    private static func listening(on port: UInt16, and other: String? = nil, _ configuration: String) -> String {
        "listen: [127.0.0.1:\(port)\(other.map { ", " + $0 } ?? "")]\n" + configuration
    }
}
