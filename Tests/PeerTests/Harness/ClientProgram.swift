import Foundation
import Testing

/// A program of somebody else that uses the companion library alone, made out of what is built here.
final class ClientProgram: Sendable {
    let path: String
    private let folder: TemporaryFolder

    /// The targets that the product is made of; another one that it needed would leave names undefined here.
    private static let targets = [
        "CLinux", "CSIMD", "SluiceClient", "SluiceContract", "SluiceFiles", "SluiceHTTP", "SluiceSockets",
    ]

    /// What every program in Swift has, and the toolchain's own coder of JSON.
    private static let system = [
        "[libc.", "[libm.", "[libgcc_s.", "[libstdc++.", "[ld-", "[libswift", "[libdispatch", "[libBlocks",
        "[libFoundationEssentials.", "[lib_FoundationCollections.",
    ]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private static var environment: [String: String] {
        ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    }

    /// A program of one text, which is run from its top.
    convenience init(_ text: String) throws {
        let folder = try TemporaryFolder()
        try self.init(sources: [try folder.write(text, to: "main.swift")], in: folder)
    }

    /// A program of `Examples/`, by its name.
    convenience init(example name: String) throws {
        let sources = Self.root + "/Examples/Sources/" + name
        let files = try FileManager.default.contentsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
        try self.init(
            sources: files.sorted().map { sources + "/" + $0 }, in: try TemporaryFolder(),
            options: ["-parse-as-library", "-module-name", name.replacing("-", with: "_")])
    }

    private init(sources: [String], in folder: TemporaryFolder, options: [String] = []) throws {
        self.folder = folder
        path = folder.file("client")
        let maps = ["CLinux", "CSIMD"].flatMap { module in
            [
                "-Xcc", "-fmodule-map-file=\(Daemon.products)/\(module).build/module.modulemap", "-Xcc",
                "-I\(Self.root)/Sources/\(module)/include",
            ]
        }
        let compiler = try ChildProcess(
            ["/usr/bin/env", "swiftc", "-swift-version", "6", "-I", Daemon.products + "/Modules", "-o", path] + options
                + maps + sources + Self.objects(),
            environment: Self.environment)
        guard try compiler.waitForExit() == 0 else { throw HarnessError("swiftc: \(compiler.errors)") }
    }

    private static func objects() throws -> [String] {
        try targets.flatMap { target in
            let folder = Daemon.products + "/\(target).build"
            let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            let objects = names.filter { $0.hasSuffix(".o") }.map { folder + "/" + $0 }
            return try #require(objects.isEmpty ? nil : objects, "nothing of \(target) is built")
        }
    }

    /// It links the system and the language, and nothing else.
    func expectLinksNothingElse() throws {
        let reader = try ChildProcess(["/usr/bin/env", "readelf", "--dynamic", path], environment: Self.environment)
        #expect(try reader.waitForExit() == 0, "\(reader.errors)")
        let needed = reader.output.split(separator: "\n").filter { $0.contains("(NEEDED)") }.map(String.init)
        #expect(!needed.isEmpty)
        for line in needed {
            #expect(Self.system.contains { line.contains($0) }, "\(line)")
        }
    }

    /// Runs it to its end.
    func run(_ arguments: String..., gateway: String? = nil) throws -> ChildProcess {
        let process = try ChildProcess(
            [path] + arguments, environment: gateway.map { ["SLUICE_URL": $0] } ?? [:])
        _ = try process.waitForExit()
        return process
    }
}
