import Foundation
import Testing

/// One file of the repository, as text.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// Path from the top of the repository: `Sources/SluiceHTTP/Outbox.swift`.
    let path: String
    let lines: [Substring]

    var testDescription: String { path }

    /// The target or test target that the file belongs to.
    var target: String { String(path.split(separator: "/")[1]) }

    /// `Problem+Kind` of `Problem+Kind.swift`.
    var stem: String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.prefix(while: { $0 != "." }))
    }

    /// Modules that the file imports, whatever stands before and between.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ").drop { $0.hasPrefix("@") || accessLevels.contains($0) }
            guard words.first == "import" else { return nil }
            let module = words.dropFirst().drop { importKinds.contains($0) }.first
            return module.map { String($0.prefix(while: { $0 != "." })) }
        }
    }

    /// What a C file includes: `CSIMD.h`, `sys/socket.h`; quoted ones apart from those of the system.
    var quotedIncludes: [String] {
        lines.compactMap { line in
            guard line.hasPrefix("#include \"") else { return nil }
            return line.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first.map(String.init)
        }
    }
}

private let accessLevels: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
private let importKinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
]

extension SourceFile {
    /// All files of the project's targets, C ones included.
    static let sources = files(under: "Sources", endings: [".swift", ".c", ".h"])
    static let tests = files(under: "Tests", endings: [".swift"])
    static let swiftSources = sources.filter { $0.path.hasSuffix(".swift") }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Any file of the repository.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func files(under folder: String, endings: [String]) -> [SourceFile] {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path) ?? .init()
        let paths = names.compactMap { $0 as? String }
            .filter { name in endings.contains { name.hasSuffix($0) } && !name.contains("Fixtures/") }
        return paths.sorted().compactMap { name in
            let path = folder + "/" + name
            guard let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) else {
                return nil
            }
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.last == "" { lines.removeLast() }
            return SourceFile(path: path, lines: lines)
        }
    }
}
