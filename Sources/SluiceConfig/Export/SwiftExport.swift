public import SluiceContract

/// A configuration as Swift: its types as structs and enums, its bindings as properties of the client library.
///
/// A program uses the text to talk to the gateway, or to be that gateway. What a property cannot express is in a
/// comment.
public enum SwiftExport {
    /// The text of one source file.
    /// - Parameter name: the name of the page, for the first line.
    public static func source(_ configuration: Configuration, from name: String) -> String {
        // With keys as clients see them, not as the API names them.
        let definitions = LocalTypes(configuration).placed
        let types = SwiftTypes(definitions)
        var body = SwiftText()
        for definition in definitions { types.declare(definition, in: &body) }
        for upstream in configuration.servedUpstreams {
            let own = configuration.bindings.filter { $0.upstream == upstream.name }
            SwiftProperties(upstream, types).write(own, in: &body)
        }
        var text = "// Made of \(String(name.map { $0.isNewline ? " " : $0 })) by 'sluice export swift'.\n"
        if types.needsFoundation { text += "import Foundation\n" }
        text += "import SluiceClient\n\n"
        return text + body.text
    }
}

/// Swift source, four spaces to a level.
struct SwiftText {
    private(set) var text = ""
    private var depth = 0

    /// A comment on one line; line breaks in the text become spaces.
    mutating func comment(_ text: String) {
        line("/// " + text.map { $0.isNewline ? " " : $0 })
    }

    mutating func line(_ line: String = "") {
        text += line.isEmpty ? "\n" : String(repeating: "    ", count: depth) + line + "\n"
    }

    /// `head {`, the content, and `}`.
    mutating func block(_ head: String, _ inside: (inout SwiftText) -> Void) {
        line(head + " {")
        depth += 1
        inside(&self)
        depth -= 1
        line("}")
    }

    /// The same behind `name(…)`.
    mutating func block(_ name: String, _ parameters: [String], _ inside: (inout SwiftText) -> Void) {
        call(name, parameters, end: " {")
        depth += 1
        inside(&self)
        depth -= 1
        line("}")
    }

    /// `name(…)` on one line, or with each argument on a line of its own where one is too long.
    mutating func call(_ name: String, _ arguments: [String], end: String = "") {
        let whole = "\(name)(\(arguments.joined(separator: ", ")))\(end)"
        if whole.count + depth * 4 <= 120 { return line(whole) }
        line(name + "(")
        depth += 1
        for (index, argument) in arguments.enumerated() {
            line(argument + (index == arguments.count - 1 ? "" : ","))
        }
        depth -= 1
        line(")" + end)
    }

    /// An empty line between two declarations, and none before the first.
    mutating func gap() {
        if !text.isEmpty, !text.hasSuffix("{\n"), !text.hasSuffix("\n\n") { line() }
    }

    /// A string literal `"text"`, with special characters escaped.
    static func literal(_ text: String) -> String {
        var literal = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.value < 0x20: literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return "\"\(literal)\""
    }
}
