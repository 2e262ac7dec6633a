/// Turns names of a page into Swift names.
enum SwiftName {
    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// `full-name` is `fullName`. Not yet escaped: see ``escaped(_:)``.
    static func property(_ text: String) -> String {
        let words = words(text)
        guard let first = words.first else { return "value" }
        let name = first.prefix(1).lowercased() + first.dropFirst() + words.dropFirst().map(capitalised).joined()
        if ["self", "init", "Type", "Protocol"].contains(name) { return "\(name)Value" }
        return name.first?.isNumber == true ? "_\(name)" : name
    }

    /// Different names for different keys.
    static func properties(_ keys: [String]) -> [String] {
        var names: [String] = []
        for key in keys { names.append(unused([property(key)], beside: Set(names))) }
        return names
    }

    static func type(_ text: String) -> String {
        let name = words(text).map(capitalised).joined()
        return name.isEmpty ? "Value" : name.first?.isNumber == true ? "_\(name)" : name
    }

    /// Names of the language, its library and the client library, which a type of the page must not hide.
    static let taken: Set<String> = [
        "Any", "AnyObject", "Array", "Bindings", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys", "Data",
        "Date", "Decimal", "Decodable", "Decoder", "Dictionary", "Double", "Encodable", "Equatable", "Error", "Float",
        "Hashable", "Int", "Int16", "Int32", "Int64", "Int8", "JSONValue", "Never", "Optional", "ParentCodable",
        "Protocol", "Rest", "Result", "Self", "Sendable", "Set", "String", "Task", "Type", "UInt", "UInt16", "UInt32",
        "UInt64", "UInt8", "URL", "UUID", "Void",
    ]

    /// The first of some names that is not taken; else the last of them with a number.
    static func unused(_ candidates: [String], beside taken: Set<String>) -> String {
        if let name = candidates.first(where: { !taken.contains($0) }) { return name }
        var number = 2
        while taken.contains("\(candidates[candidates.count - 1])\(number)") { number += 1 }
        return "\(candidates[candidates.count - 1])\(number)"
    }

    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static func words(_ text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.map(String.init)
    }

    private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
