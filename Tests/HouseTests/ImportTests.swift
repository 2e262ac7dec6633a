import Testing

/// Imports point upward in this list only.
@Suite struct ImportTests {
    /// From vocabulary to command. The C targets stand above all of them.
    static let order = [
        "SluiceContract", "SluiceJSON", "SluiceHTTP", "SluiceCoding", "SluiceCache", "SluiceGateway", "SluiceRules",
        "SluiceConfig", "SluiceIO", "SluiceStores", "sluice",
    ]
    /// The companion library knows the contract and never the daemon.
    static let client = "SluiceClient"
    /// Off the request path, where Yams and the command line bring it along anyway.
    static let mayImportFoundation = ["SluiceConfig", "sluice", client]

    @Test func sourcesWereFound() {
        #expect(SourceFile.sources.count > 10)
        #expect(Set(SourceFile.sources.map(\.target)).contains("SluiceContract"))
    }

    @Test(arguments: SourceFile.swiftSources)
    func pointUpward(_ file: SourceFile) throws {
        let ours = file.imports.filter { Self.order.contains($0) || $0 == Self.client }
        if file.target == Self.client {
            #expect(ours.allSatisfy { $0 == "SluiceContract" }, "the companion library imports \(ours)")
            return
        }
        let place = try #require(
            Self.order.firstIndex(of: file.target), "\(file.target) is missing from the list in ImportTests")
        for module in ours {
            let above = Self.order.firstIndex(of: module).map { $0 < place } ?? false
            #expect(above, "\(file.target) imports \(module), which does not stand above it")
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

    @Test(arguments: SourceFile.swiftSources.filter { !mayImportFoundation.contains($0.target) })
    func foundationStaysOffTheRequestPath(_ file: SourceFile) {
        let heavy = file.imports.filter { $0 == "Foundation" || $0 == "FoundationNetworking" || $0 == "FoundationXML" }
        #expect(heavy.isEmpty, "import FoundationEssentials, or do without")
    }
}
