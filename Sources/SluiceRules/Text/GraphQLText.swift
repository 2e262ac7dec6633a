internal import SluiceContract

/// As much of a query of GraphQL as its binding has to know (GraphQL, October 2021, §2).
struct GraphQLText {
    struct Variable: Hashable {
        /// Without the `$`.
        var name: String
        /// The type here that suits its own, as YAML has it; nil where its own is none of GraphQL's.
        var type: String?
    }

    struct Fault: Hashable {
        var message: String
        var expected: String
    }

    /// `query`, `mutation` or `subscription`; nil where the text begins like none.
    private(set) var operation: String?
    /// Each once.
    private(set) var variables: [Variable] = []
    /// What no server could read.
    private(set) var fault: Fault?

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        var isFirst = true
        var isSelecting = false
        /// The brackets that are open.
        var open: [UInt8] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "#") {
                rest = rest.drop { $0 != 0x0A }
            } else if byte == UInt8(ascii: "\"") {
                rest = Self.behindString(rest)
            } else if byte == UInt8(ascii: "$") {
                let name = rest.dropFirst().prefix(while: Self.isNamePart)
                rest = rest[name.endIndex...]
                let variable = String(decoding: name, as: UTF8.self)
                if !variable.isEmpty, !variables.contains(where: { $0.name == variable }) {
                    variables.append(Variable(name: variable, type: Self.type(rest)))
                }
            } else if Self.isNamePart(byte) {
                let word = rest.prefix(while: Self.isNamePart)
                let name = String(decoding: word, as: UTF8.self)
                // A fragment may come first.
                if open.isEmpty, ["query", "mutation", "subscription"].contains(name), operation == nil {
                    operation = name
                }
                if isFirst, operation == nil, name != "fragment" { return }
                isFirst = false
                rest = rest[word.endIndex...]
            } else {
                if isFirst, byte == UInt8(ascii: "{") { operation = "query" }
                if byte > 0x20 { isFirst = false }
                if byte == UInt8(ascii: "{") { isSelecting = true }
                if !Self.nest(byte, &open) {
                    fault = Fault(
                        message: "a '\(Character(Unicode.Scalar(byte)))' closes nothing",
                        expected: "as many brackets closed as opened")
                    return
                }
                rest = rest.dropFirst()
            }
        }
        if let last = open.last {
            fault = Fault(
                message: "a '\(Character(Unicode.Scalar(last)))' is not closed",
                expected: "as many brackets closed as opened")
        } else if operation != nil, !isSelecting {
            fault = Fault(
                message: "the query asks for nothing", expected: "{ and what is asked for, such as { me { id } }")
        }
    }

    /// - Returns: whether the bracket fits to those that are open; other characters do.
    private static func nest(_ byte: UInt8, _ open: inout [UInt8]) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["): open.append(byte)
        case UInt8(ascii: "}"): return open.popLast() == UInt8(ascii: "{")
        case UInt8(ascii: ")"): return open.popLast() == UInt8(ascii: "(")
        case UInt8(ascii: "]"): return open.popLast() == UInt8(ascii: "[")
        default: break
        }
        return true
    }

    /// `: [Int!]!` behind a variable's name, in the notation of parameters.
    private static func type(_ text: ArraySlice<UInt8>) -> String? {
        var rest = text.drop { $0 <= 0x20 }
        guard rest.popFirst() == UInt8(ascii: ":") else { return nil }
        let declared = rest.prefix { isNamePart($0) || $0 <= 0x20 || "[]!".utf8.contains($0) }.filter { $0 > 0x20 }
        var name = String(decoding: declared, as: UTF8.self)
        let isRequired = name.hasSuffix("!")
        if isRequired { name.removeLast() }
        let isList = name.hasPrefix("[") && name.hasSuffix("]")
        if isList { name = name.dropFirst().dropLast().filter { $0 != "!" } }
        let known = ["Int": "Int", "Float": "Double", "String": "String", "ID": "String", "Boolean": "Bool"]
        guard let element = known[name] else { return nil }
        switch (isList, isRequired) {
        case (true, true): return "[\(element)]"
        case (true, false): return "'[\(element)]?'"
        case (false, true): return element
        case (false, false): return "\(element)?"
        }
    }

    /// Whether this word stands in a query, wherever that is.
    static func names(_ word: String, in text: String) -> Bool {
        text.utf8.split { !isNamePart($0) }.contains { $0.elementsEqual(word.utf8) }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") }

    private static func behindString(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let block = Array("\"\"\"".utf8)
        if text.starts(with: block) {
            return text.dropFirst(3).firstRange(of: block).map { text[$0.upperBound...] } ?? []
        }
        var rest = text.dropFirst()
        while let byte = rest.first, byte != UInt8(ascii: "\"") {
            rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
        }
        return rest.dropFirst()
    }
}
