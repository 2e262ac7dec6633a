internal import SluiceContract

/// Paths of routes and of targets.
enum PathRule {
    /// - Parameter isKey: whether the path stands at the end of a key, and not of a value.
    /// - Returns: whether it can be used.
    static func check(_ path: PathTemplate, _ scope: Scope, isKey: Bool) -> Bool {
        var anchor: Finding.Anchor { isKey ? .endOfKey("\(path)") : .endOfValue("\(path)") }
        for part in path.segments.joined() {
            guard case .text(let literal) = part, let message = fault(literal) else { continue }
            let isQuery = literal.contains("?")
            scope.mistake(
                "\(message) in path \(isKey ? "'\(path)'" : URLText.shown("\(path)"))",
                at: isKey ? .endOfKey("\(path)") : .endOfValue("\(path)"),
                expected: isQuery ? "a path without '?'" : "segments as RFC 3986 §3.3 has them",
                suggestion: isQuery
                    ? .advice("declare the query under 'params:'")
                    : literal.contains("<") ? .advice("write a placeholder as {name}") : nil)
            return false
        }
        warnOfForeign(path, scope, anchor)
        for segment in path.segments where segment == [.text(".")] || segment == [.text("..")] {
            scope.mistake(
                "a dot segment in path '\(path)'", at: anchor, expected: "a path without '.' and '..'")
            return false
        }
        return true
    }

    /// `:id` and `*` are what they are in a path, and placeholders to other routers.
    private static func warnOfForeign(_ path: PathTemplate, _ scope: Scope, _ anchor: @autoclosure () -> Finding.Anchor)
    {
        for segment in path.segments where segment.count == 1 {
            guard case .text(let literal) = segment[0] else { continue }
            if literal.hasPrefix(":"), literal.utf8.count > 1 {
                scope.warning(
                    "'\(literal)' stands for itself here", at: anchor(),
                    suggestion: .didYouMean("{\(literal.dropFirst())}"))
            } else if literal == "*" {
                scope.warning(
                    "'*' stands for itself here", at: anchor(),
                    suggestion: .advice("write {name} for one segment, '**' at the end for all that follows"))
            }
        }
    }

    /// RFC 3986 §3.3 `pchar`.
    private static func fault(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, bytes[index + 1].isHexDigit, bytes[index + 2].isHexDigit else {
                    return "a broken percent-encoding"
                }
            } else if !byte.isLetter, !byte.isDigit, !"-._~!$&'()*+,;=:@".utf8.contains(byte) {
                if byte == UInt8(ascii: "?") { return "a query" }
                let shown = byte < 0x80 ? "'\(Character(Unicode.Scalar(byte)))'" : "a character that"
                return "\(shown) needs percent-encoding"
            }
        }
        return nil
    }
}
