/// A type or an extension at the top level of a file of Swift, and how many lines it takes, found by indentation as
/// ``FunctionSpan`` is.
struct TypeSpan {
    /// With its target: `SluiceGateway Fetch`.
    let name: String
    let lineCount: Int

    private static let declarators: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "extension"]

    static func all(in file: SourceFile) -> [TypeSpan] {
        file.lines.indices.compactMap { start in
            guard let type = type(in: file.lines[start]) else { return nil }
            let rest = file.lines[start...]
            let isOneLine = file.lines[start].hasSuffix("}")
            guard let end = isOneLine ? start : rest.firstIndex(of: "}") else { return nil }
            return TypeSpan(name: "\(file.target) \(type)", lineCount: end - start + 1)
        }
    }

    /// `Fetch` of a line that begins with `final class Fetch:`.
    private static func type(in line: Substring) -> Substring? {
        guard let first = line.first, first.isLetter || first == "@" else { return nil }
        let words = line.split { " :<{,(".contains($0) }
        guard let declarator = words.firstIndex(where: { declarators.contains($0) }), declarator + 1 < words.count,
            words[..<declarator].allSatisfy({ !["func", "let", "var", "import", "typealias"].contains($0) })
        else { return nil }
        return words[declarator + 1].split(separator: ".").first
    }
}
