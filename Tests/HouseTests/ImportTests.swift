import Testing

/// Which module imports which: what ARCHITECTURE says of the rooms, as a table.
@Suite struct ImportTests {
    /// What each of our targets may import of ours and of the C targets. From vocabulary to command: a target imports
    /// only what stands before it.
    static let targets: KeyValuePairs<String, Set<String>> = [
        "SluiceContract": [],
        "SluiceFiles": ["CLinux", "SluiceContract"],
        "SluiceJSON": ["CSIMD", "SluiceContract"],
        "SluiceHTTP": ["CSIMD", "SluiceContract"],
        "SluiceHTTP2": ["CNGHTTP2", "CSIMD", "SluiceContract", "SluiceHTTP"],
        "SluiceSockets": ["CLinux", "SluiceContract"],
        "SluiceCoding": ["CBrotli", "CZlib", "CZstd", "SluiceContract"],
        "SluiceCache": ["SluiceContract", "SluiceHTTP"],
        // All cryptography is OpenSSL's; what is signed and sealed is handed in.
        "SluiceSigning": ["COpenSSL", "SluiceContract"],
        // Facts in, orders out: nothing that opens, waits or reads a file.
        "SluiceGateway": [
            "CDigest", "SluiceContract", "SluiceJSON", "SluiceHTTP", "SluiceHTTP2", "SluiceCoding", "SluiceCache",
            "SluiceSigning",
        ],
        // Beside the gateway: they know nothing of how a configuration is served.
        "SluiceRules": ["SluiceContract", "SluiceJSON", "SluiceSigning"],
        "SluiceConfig": ["CYAML", "SluiceContract", "SluiceFiles", "SluiceJSON", "SluiceRules"],
        // What is kept and asked for, without a socket and without a loop.
        "SluiceCredentials": ["SluiceContract", "SluiceFiles", "SluiceJSON", "SluiceSigning"],
        "SluiceIO": [
            "CLinux", "COpenSSL", "SluiceContract", "SluiceFiles", "SluiceSigning", "SluiceHTTP", "SluiceSockets",
            "SluiceCache", "SluiceGateway", "SluiceCredentials",
        ],
        // The servers behind memory are spoken to over TLS, so that this stands behind SluiceIO.
        "SluiceStores": [
            "CDigest", "CSQLite", "CWALIndex", "SluiceContract", "SluiceFiles", "SluiceSockets", "SluiceCache",
            "SluiceIO",
        ],
        // What people look at: texts in, texts out.
        "SluiceConsole": ["SluiceContract", "SluiceJSON", "SluiceHTTP"],
        // The companion library links nothing but the C library and what comes with Swift.
        "SluiceClient": ["CLinux", "SluiceContract", "SluiceFiles", "SluiceHTTP", "SluiceSockets"],
        // Its publishers: the one module that knows OpenCombine.
        "SluiceCombine": ["SluiceClient"],
        // A gateway inside a program: what the command puts together from a page, put together from properties.
        "SluiceServer": [
            "SluiceContract", "SluiceCache", "SluiceGateway", "SluiceRules", "SluiceConfig", "SluiceIO", "SluiceStores",
            "SluiceClient",
        ],
        "sluice": [
            "CLinux", "CRelease", "SluiceContract", "SluiceFiles", "SluiceJSON", "SluiceHTTP", "SluiceSockets",
            "SluiceCache", "SluiceGateway", "SluiceRules", "SluiceConfig", "SluiceSigning", "SluiceCredentials",
            "SluiceIO", "SluiceStores", "SluiceConsole", "CConsolePage",
        ],
    ]
    /// What comes with the toolchain or from other packages, and who may import it.
    static let others: [String: Set<String>] = [
        "Synchronization": [
            "SluiceCache", "SluiceClient", "SluiceCombine", "SluiceGateway", "SluiceIO", "SluiceStores", "sluice",
        ],
        "Dispatch": ["SluiceIO", "SluiceStores", "sluice"],
        "Logging": ["SluiceIO", "SluiceServer", "sluice"],
        "ArgumentParser": ["sluice"],
        // The client library codes what programs call Codable, by the coder that comes with the toolchain.
        "FoundationEssentials": ["SluiceClient", "SluiceServer"],
        "Observation": ["SluiceClient"],
        "OpenCombine": ["SluiceCombine"],
    ]
    static let systems: Set<String> = ["Glibc"]

    @Test func sourcesWereFound() {
        #expect(SourceFile.sources.count > 10)
        #expect(Set(SourceFile.sources.map(\.target)).contains("SluiceContract"))
    }

    @Test func theTableItselfPointsUpward() {
        var above: Set<String> = []
        for (target, allowed) in Self.targets {
            let ours = allowed.filter { $0.hasPrefix("Sluice") }
            #expect(ours.isSubset(of: above), "\(target) may import what stands behind it")
            above.insert(target)
        }
    }

    @Test(arguments: SourceFile.swiftSources)
    func onlyWhatTheTableAllows(_ file: SourceFile) throws {
        let allowed = try #require(
            Self.targets.first { $0.key == file.target }?.value, "\(file.target) is missing from the table")
        for module in file.imports where !allowed.contains(module) && !Self.systems.contains(module) {
            let importers = Self.others[module] ?? []
            #expect(importers.contains(file.target), "\(file.target) may not import \(module)")
        }
    }

    @Test(arguments: SourceFile.sources.filter { !$0.path.hasSuffix(".swift") })
    func cTargetsIncludeOnlyTheirOwn(_ file: SourceFile) {
        #expect(file.target.hasPrefix("C"), "C belongs into a C target")
        let own = Set(SourceFile.sources.filter { $0.target == file.target }.map(\.path))
        for include in file.quotedIncludes {
            #expect(own.contains { $0.hasSuffix("/" + include) }, "\(include) is not in \(file.target)")
        }
    }

    /// Without the import it would be the standard library's, which brings a megabyte of regular expressions into what
    /// ships; the compiler tells only of some of its functions.
    @Test(arguments: SourceFile.swiftSources)
    func textsAreSearchedWithoutRegularExpressions(_ file: SourceFile) {
        if ["SluiceContract", "SluiceClient", "SluiceServer"].contains(file.target) { return }
        let searches = file.lines.contains { $0.contains(".firstRange(of:") || $0.contains(".replacing(") }
        #expect(!searches || file.imports.contains("SluiceContract"), "import SluiceContract")
    }

    /// Its data tables would be more than half of the binary.
    @Test(arguments: SourceFile.swiftSources)
    func nobodyImportsFoundation(_ file: SourceFile) {
        let whole: Set = ["Foundation", "FoundationInternationalization", "FoundationNetworking", "FoundationXML"]
        #expect(whole.isDisjoint(with: file.imports), "import FoundationEssentials, or do without")
    }
}
