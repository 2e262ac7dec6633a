import Testing

/// A reader finds a thing by its name, and its tests as well.
@Suite struct NameTests {
    /// `X.swift` and `X+Part.swift` declare or extend `X`.
    @Test(arguments: SourceFile.swiftSources + testFiles)
    func filesAreNamedForAType(_ file: SourceFile) {
        #expect(file.declaredTypes.contains(file.subject), "no declaration or extension of \(file.subject)")
    }

    static let testFiles = SourceFile.tests.filter { $0.subject.hasSuffix("Tests") }

    /// Folders of tests that are about no type: what many of them do together, what the documents say, whole runs.
    static let freeFolders: Set<Substring> = ["Behaviour", "Documents", "Simulation", "CacheSimulation"]

    static let types = Dictionary(grouping: SourceFile.swiftSources, by: \.target).mapValues { files in
        files.reduce(into: Set<Substring>()) { $0.formUnion($1.declaredTypes) }
    }

    /// `XTests.swift` tests the type `X` of its module or of one that this stands on, or a part of it:
    /// `ExchangeCacheTests.swift` what an `Exchange` does with the cache. Tests are renamed with their type.
    @Test(arguments: testFiles.filter { types[$0.module] != nil && freeFolders.isDisjoint(with: $0.folders) })
    func testsAreNamedForWhatTheyTest(_ file: SourceFile) throws {
        let below = try #require(ImportTests.targets.first { $0.key == file.module }).value
        let modules = below.union([file.module]).compactMap { Self.types[$0] }
        let subject = file.subject.dropLast("Tests".count)
        #expect(
            modules.contains { types in types.contains { Self.isSubject(subject, of: $0) } },
            "\(subject) begins with no type of \(file.module); name the file for one, or move it to Behaviour")
    }

    /// Whether a name is a type's, or that and more words.
    private static func isSubject(_ subject: Substring, of type: Substring) -> Bool {
        subject.hasPrefix(type) && subject.dropFirst(type.count).first?.isUppercase ?? true
    }

    @Test(arguments: [
        ("Exchange", "Exchange", true), ("ExchangeCache", "Exchange", true), ("Exchanges", "Exchange", false),
        ("Exchange", "ExchangeCache", false), ("HTTP2Link", "HTTP", false),
    ])
    func aSubjectBeginsWithWholeWords(subject: String, type: String, isOne: Bool) {
        #expect(Self.isSubject(subject[...], of: type[...]) == isOne)
    }
}

extension SourceFile {
    /// `Problem` of `Problem+Kind.swift`.
    fileprivate var subject: Substring { stem.prefix { $0 != "+" } }

    /// `SluiceHTTP` of what stands in `SluiceHTTPTests`.
    fileprivate var module: String { target.hasSuffix("Tests") ? String(target.dropLast("Tests".count)) : target }

    fileprivate var folders: [Substring] { Array(path.split(separator: "/").dropFirst(2).dropLast()) }

    private static let declarators: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "extension", "typealias", "macro",
    ]

    /// Names of the types that the file declares or extends, those within others included.
    fileprivate var declaredTypes: Set<Substring> {
        let names = lines.flatMap { line -> [Substring] in
            let words = line.split { " :<{,(".contains($0) }
            guard words.first?.hasPrefix("//") == false else { return [] }
            return zip(words, words.dropFirst()).filter { Self.declarators.contains($0.0) }.map(\.1)
        }
        return Set(names.flatMap { $0.split(separator: ".") })
    }
}
