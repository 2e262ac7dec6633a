import Foundation

/// The engine's C text, compiled for arm64 with a driver (`Tests/CSIMDReplay/Driver`) and run under an emulator.
struct Arm64Driver: CustomStringConvertible {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Debian's compiler, and the one that compiles the engine with Swift.
    enum Compiler: String, CaseIterable {
        case gcc = "aarch64-linux-gnu-gcc"
        case clang

        fileprivate var flags: [String] {
            switch self {
            case .gcc: ["-std=gnu2x", "-D_Nonnull=", "-D_Nullable=", "-Wno-attributes", "-Wno-unknown-pragmas"]
            case .clang: ["--target=aarch64-linux-gnu", "-std=gnu11"]
            }
        }
    }

    let description: String
    private let path: String

    /// Each is compiled once.
    static func made(with compiler: Compiler) throws -> Arm64Driver {
        switch compiler {
        case .gcc: try withGCC.get()
        case .clang: try withClang.get()
        }
    }

    private static let withGCC = Result { try Arm64Driver(.gcc) }
    private static let withClang = Result { try Arm64Driver(.clang) }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Files of C in a folder of the package.
    private static func sources(in folder: String) throws -> [String] {
        let url = root.appendingPathComponent(folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return names.filter { $0.hasSuffix(".c") }.sorted().map { url.appendingPathComponent($0).path }
    }

    private init(_ compiler: Compiler) throws {
        description = compiler.rawValue
        path = Self.file("driver-\(compiler)")
        let sources =
            try Self.sources(in: "Sources/CSIMD") + Self.sources(in: "Tests/CSIMDReplay")
            + Self.sources(in: "Tests/CSIMDReplay/Driver")
        let includes = ["Sources/CSIMD/include", "Tests/CSIMDReplay/include"].flatMap {
            ["-I", Self.root.appendingPathComponent($0).path]
        }
        let arguments =
            [compiler.rawValue, "-static", "-O2", "-Wall", "-Wextra", "-Werror"] + compiler.flags
            + includes + ["-o", path] + sources
        let said = try Self.run("/usr/bin/env", arguments)
        guard said.status == 0 else {
            throw Failure(description: "\(compiler.rawValue) fails (\(Self.remedy)): \(said.output)")
        }
    }

    private static let remedy = "scripts/test installs it and qemu-aarch64 where they are missing"

    /// What the driver says of these arguments.
    func run(_ arguments: [String]) throws -> String {
        let said = try Self.run("/usr/bin/env", ["qemu-aarch64", path] + arguments)
        guard said.status == 0 else {
            throw Failure(description: "the driver ends with \(said.status) (\(Self.remedy)): \(said.output)")
        }
        return said.output
    }

    /// A file of its own, removed when the tests end.
    static func file(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    private static let folder = Folder()

    private struct Folder: Sendable {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-arm64-\(UUID().uuidString)")

        init() {
            try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            atexit { try? FileManager.default.removeItem(at: Arm64Driver.folder.url) }
        }
    }

    /// - Returns: its exit status, and what it printed.
    static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
