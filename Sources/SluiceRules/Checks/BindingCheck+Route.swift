internal import SluiceContract

extension BindingCheck {
    mutating func checkRoute() {
        let methods = MethodRule.methods(declaration.methods, scope, at: .key)
        guard let methods, let path = declaration.path, PathRule.check(path, scope, isKey: true) else {
            (hasPaths, hasRoute) = (false, false)
            return
        }
        binding.methods = methods
        binding.path = path
        var seen: Set<String> = []
        for name in path.placeholders where !seen.insert(name).inserted {
            scope.mistake("placeholder '{\(name)}' stands twice", expected: "each name once")
        }
    }

    mutating func checkTarget() {
        guard let target = declaration.target else {
            hasPaths = false
            return
        }
        let scope = scope / "to"
        if upstream == nil {
            let names = context.upstreamNames
            scope.mistake(
                "unknown upstream '\(target.upstream)'", at: .value,
                expected: names.isEmpty ? "a name of 'upstreams:'" : names.joined(separator: ", "),
                suggestion: Nearest.suggestion(for: target.upstream, among: names))
        }
        let method = target.method.flatMap { MethodRule.methods([$0], scope, at: .value)?.first }
        if let method, binding.methods != [method] { binding.upstreamMethod = method }
        if let path = target.path, PathRule.check(path, scope, isKey: false) {
            binding.upstreamPath = path
        } else {
            hasPaths = false
        }
    }
}

/// Methods that can be bound.
package enum MethodRule {
    /// RFC 9110 §9.3 and RFC 5789; others may be bound too, but not what looks like a slip of these.
    package static let usual = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    /// - Returns: each once; nil where one of them is wrong.
    static func methods(_ methods: [String], _ scope: Scope, at anchor: Finding.Anchor) -> [String]? {
        var result: [String] = []
        for method in methods {
            let isPlain = Name.isToken(method) && method == method.uppercased() && method != "ANY"
            let near = usual.contains(method) ? nil : Nearest.name(to: method, among: usual + ["ANY"])
            guard isPlain, method != "CONNECT", near == nil else {
                scope.mistake(
                    "'\(method)' is no method that can be bound", at: anchor,
                    expected: "GET, POST, …, several with '|' between them, or ANY",
                    suggestion: near.map { .didYouMean($0) })
                return nil
            }
            if result.contains(method) {
                scope.mistake("method '\(method)' stands twice", at: anchor, expected: "each method once")
            } else {
                result.append(method)
            }
        }
        return result
    }
}

/// Paths of routes and of targets.
enum PathRule {
    /// - Parameter isKey: whether the path stands at the end of a key, and not of a value.
    /// - Returns: whether it can be used.
    static func check(_ path: PathTemplate, _ scope: Scope, isKey: Bool) -> Bool {
        var anchor: Finding.Anchor { isKey ? .endOfKey("\(path)") : .endOfValue("\(path)") }
        for part in path.segments.joined() {
            guard case .text(let literal) = part, let message = fault(literal) else { continue }
            scope.mistake(
                "\(message) in path '\(path)'", at: isKey ? .endOfKey("\(path)") : .endOfValue("\(path)"),
                expected: "segments as RFC 3986 §3.3 has them",
                suggestion: literal.contains("?")
                    ? .advice("declare what stands in the query under 'params:'")
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
