internal import CRelease
internal import SluiceContract
internal import SluiceJSON

/// The version of this binary and its parts.
enum Release {
    static let version = SluiceVersion.text

    /// Packages that are compiled in, as Package.resolved pins them.
    static let packages = [(name: "swift-argument-parser", version: "1.8.2"), (name: "swift-log", version: "1.16.2")]

    /// All of it, for people.
    static var text: String {
        """
        sluice \(version)
        commit: \(commit ?? "unknown, as it was not built by scripts/build")
        target: \(target), \(build) build by Swift \(compiler)
        linked in: \(list([("the Swift runtime", "")] + packages.map { ($0.name, $0.version) }))
        runs with: \(list(libraries))
        reads JSON with: \(VectorSet.name)
        """
    }

    private static func list(_ parts: [(name: String, version: String)]) -> String {
        parts.map { $0.version.isEmpty ? $0.name : "\($0.name) \($0.version)" }.joined(separator: ", ")
    }

    /// The commit that it was built from; `-dirty` stands behind it where files were changed.
    static var commit: String? {
        let text = String(cString: crelease_commit())
        return text.isEmpty ? nil : text
    }

    static var target: String { String(cString: crelease_target()) }

    /// The libraries that run, which may be newer than those that were built against.
    static var libraries: [(name: String, version: String)] {
        (0..<Int32(CRELEASE_LIBRARY_COUNT)).map { index in
            let library = crelease_library_at(index)
            return (String(cString: library.name), String(cString: library.version))
        }
    }

    static var compiler: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }

    static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }
}
