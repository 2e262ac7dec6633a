/// A function or initialiser, of Swift or C, and how many lines it takes, found by indentation: the checked-in format
/// puts the closing brace of a declaration in the declaration's own column.
struct FunctionSpan {
    let line: Int
    let lineCount: Int
    let declaration: Substring

    static func all(in file: SourceFile) -> [FunctionSpan] {
        file.path.hasSuffix(".swift") ? swift(in: file) : c(in: file)
    }

    /// Definitions of C begin and end in the first column; a declaration ends with a semicolon.
    private static func c(in file: SourceFile) -> [FunctionSpan] {
        file.lines.indices.compactMap { start in
            let line = file.lines[start]
            guard let first = line.first, first.isLetter, !line.hasPrefix("typedef"), !line.hasPrefix("enum") else {
                return nil
            }
            let rest = file.lines[start...]
            guard let head = rest.firstIndex(where: { $0.hasSuffix("{") || $0.hasSuffix(";") || $0.hasSuffix("}") }),
                file.lines[head].hasSuffix("{"), rest[...head].contains(where: { $0.contains("(") }),
                let end = rest.firstIndex(where: { $0.hasPrefix("}") })
            else { return nil }
            return FunctionSpan(line: start + 1, lineCount: end - start + 1, declaration: line)
        }
    }

    private static func swift(in file: SourceFile) -> [FunctionSpan] {
        file.lines.indices.compactMap { start in
            let line = file.lines[start]
            guard isDeclaration(line), !line.hasSuffix("}") else { return nil }
            let indent = line.prefix(while: { $0 == " " })
            let rest = file.lines[(start + 1)...]
            // Without a brace in its own column, or with a blank line before the first one, it is a requirement.
            guard let end = rest.firstIndex(where: { $0.hasPrefix(indent + "}") }) else { return nil }
            let head = file.lines[start..<end].prefix { !$0.isEmpty }
            guard head.contains(where: { $0.hasSuffix("{") }) else { return nil }
            return FunctionSpan(line: start + 1, lineCount: end - start + 1, declaration: line.dropFirst(indent.count))
        }
    }

    private static func isDeclaration(_ line: Substring) -> Bool {
        for word in line.split(separator: " ") {
            if word == "func" || word.hasPrefix("init(") || word.hasPrefix("init?(") || word.hasPrefix("init<") {
                return true
            }
            let bare = word.prefix(while: { $0 != "(" })
            if !word.hasPrefix("@"), !modifiers.contains(bare) { return false }
        }
        return false
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "open", "static", "class", "final", "override",
        "mutating", "consuming", "borrowing", "nonisolated", "convenience", "required", "prefix", "postfix", "infix",
    ]
}
