import Testing

/// `X.swift` and `X+Part.swift` declare or extend `X`: a reader finds a thing by its name.
@Suite struct NameTests {
    static let declarators: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "extension", "typealias", "macro",
    ]

    @Test(arguments: SourceFile.swiftSources)
    func filesAreNamedForAType(_ file: SourceFile) {
        let name = file.stem.prefix(while: { $0 != "+" })
        let declares = file.lines.contains { line in
            let words = line.split(whereSeparator: { " :<{,(".contains($0) })
            return zip(words, words.dropFirst()).contains { word, next in
                Self.declarators.contains(word) && next.split(separator: ".").contains(name)
            }
        }
        #expect(declares, "no declaration or extension of \(name)")
    }
}
