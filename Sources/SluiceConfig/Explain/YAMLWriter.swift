import SluiceContract
import SluiceRules

/// Writes block YAML, two spaces to a level.
struct YAMLWriter {
    private(set) var text = ""
    /// Every value with its key path, where `keepsValues` is set.
    private(set) var values: [(path: ConfigurationPath, text: String)] = []
    private let keepsValues: Bool
    /// Whether default values are left out.
    let leavesUsual: Bool
    private var place = ConfigurationPath()
    private var depth: Int { place.segments.count }

    init(keepsValues: Bool = false, leavesUsual: Bool = false) {
        self.keepsValues = keepsValues
        self.leavesUsual = leavesUsual
    }

    /// A key with a scalar, quoted where YAML or the reader would misread it.
    mutating func key(_ name: String, _ value: String) {
        raw(name, Self.block(value))
    }

    /// A key with a value that is YAML already, such as JSON.
    mutating func raw(_ name: String, _ value: String) {
        if keepsValues { values.append((place / name, value)) }
        text += indent + Self.block(name) + ": " + value + "\n"
    }

    mutating func list(_ name: String, _ values: [String]) {
        raw(name, "[" + values.map(Self.scalar).joined(separator: ", ") + "]")
    }

    /// A comment for people; it is not read back.
    mutating func comment(_ text: String) {
        self.text += indent + "# " + text + "\n"
    }

    /// A key with a mapping below it.
    /// - Parameter mayVanish: whether an empty mapping may be left out of a page.
    mutating func mapping(_ name: String, mayVanish: Bool = false, _ body: (inout YAMLWriter) -> Void) {
        let before = text.utf8.count
        text += indent + Self.block(name) + ":\n"
        let start = text.utf8.count
        place.segments.append(.key(name))
        body(&self)
        place.segments.removeLast()
        if text.utf8.count == start, leavesUsual, mayVanish {
            text = String(decoding: text.utf8.prefix(before), as: UTF8.self)
        } else if text.utf8.count == start {
            text.replaceSubrange(text.index(before: text.endIndex)..., with: " {}\n")
        }
    }

    private var indent: String { String(repeating: "  ", count: depth) }

    /// For flow context: plain where no character of the text has a meaning in YAML.
    static func scalar(_ text: String) -> String {
        let isSafe = text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_./-".utf8.contains($0) }
        return isSafe && canBePlain(text) ? text : PlainJSON.string(text)
    }

    /// For block context, where brackets inside a text, and colons without a blank after them, are harmless.
    static func block(_ text: String) -> String {
        let isSafe =
            text.utf8.allSatisfy { $0.isLetter || $0.isDigit || " _./-{}[]()|?*=:@+".utf8.contains($0) }
            && !text.contains(": ") && text.utf8.last != UInt8(ascii: ":") && text.utf8.last != UInt8(ascii: " ")
        return isSafe && canBePlain(text) ? text : PlainJSON.string(text)
    }

    /// Whether the text neither begins like another kind of value nor is a reserved word of YAML 1.1.
    private static func canBePlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLetter || first.isDigit || first == UInt8(ascii: "/") else {
            return false
        }
        let words: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        let isNumeric = text.utf8.allSatisfy { $0.isDigit || ".:-".utf8.contains($0) }
        return !words.contains(text.lowercased()) && (!isNumeric || DecimalText.isNumber(text) || text.contains(":"))
    }
}
