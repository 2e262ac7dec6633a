internal import SluiceContract

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
