import Testing

/// What the daemon may say in its log stands in docs/OPERATIONS.md, with what to do about it.
@Suite struct LogTests {
    private static let guide = ((try? SourceFile.text("docs/OPERATIONS.md")) ?? "").replacing("\n", with: " ")

    private static let calls = ["notice", "warning", "error", "critical", "info"].map { "logger.\($0)(" }

    /// The constant beginnings of lines: the text of the first literal behind a call, up to what is filled in.
    static let lines: [String] = SourceFile.swiftSources.flatMap { file in
        file.lines.indices.compactMap { index -> String? in
            guard let call = calls.first(where: { file.lines[index].contains($0) }) else { return nil }
            let rest = file.lines[index...].prefix(4).joined(separator: " ")
            guard let begin = rest.firstRange(of: call)?.upperBound,
                let quote = rest[begin...].firstIndex(of: "\""), rest[begin..<quote].allSatisfy({ $0 == " " })
            else { return nil }
            let text = rest[quote...].drop { $0 == "\"" }
            let words = text.drop { $0 == " " }.prefix { $0 != "\"" && $0 != "\\" }
            // A name and a line of it say nothing that could be looked for.
            return words.count < 10 ? nil : String(words.prefix { $0 != ";" && $0 != ":" })
        }
    }

    @Test func linesWereFound() {
        #expect(Self.lines.count > 25)
        #expect(Self.lines.contains("configuration reloaded"))
    }

    @Test(arguments: lines)
    func everyLineIsExplained(_ line: String) {
        let words = line.reversed().drop { $0 == " " }.reversed()
        #expect(Self.guide.contains(String(words)), "docs/OPERATIONS.md does not say what to do about '\(line)'")
    }
}
