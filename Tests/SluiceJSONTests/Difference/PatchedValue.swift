@testable import SluiceJSON

/// A JSON value as a tree, and patches of it carried out step by step as their RFCs tell: the oracle of what is
/// written.
indirect enum PatchedValue: Equatable {
    case word(String)
    case string(String)
    case array([PatchedValue])
    case object([String: PatchedValue])

    static let null = PatchedValue.word("null")

    init(_ json: String) {
        var rest = Array(json.utf8)[...]
        self = Self.read(&rest)
    }

    init(_ json: [UInt8]) { self.init(String(decoding: json, as: UTF8.self)) }

    // MARK: - RFC 7396 §2

    func merged(with patch: PatchedValue) -> PatchedValue {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: PatchedValue] = [:]
        if case .object(let own) = self { members = own }
        for (key, change) in changes {
            members[key] = change == .null ? nil : (members[key] ?? .null).merged(with: change)
        }
        return .object(members)
    }

    // MARK: - RFC 6902 §4

    struct Impossible: Error {}

    func patched(by patch: PatchedValue) throws -> PatchedValue {
        guard case .array(let operations) = patch else { throw Impossible() }
        var value = self
        for operation in operations {
            guard case .object(let members) = operation, case .string(let name)? = members["op"],
                case .string(let path)? = members["path"]
            else { throw Impossible() }
            let tokens = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
                String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
            }
            value = try value.carrying(out: name, at: tokens[...], members["value"])
        }
        return value
    }

    private func carrying(
        out name: String, at path: ArraySlice<String>, _ value: PatchedValue?
    ) throws -> PatchedValue {
        guard let token = path.first else {
            guard name != "remove", let value else { throw Impossible() }
            return value
        }
        let rest = path.dropFirst()
        switch self {
        case .object(var members):
            if rest.isEmpty {
                if name != "add", members[token] == nil { throw Impossible() }
                members[token] = name == "remove" ? nil : value
            } else {
                guard let member = members[token] else { throw Impossible() }
                members[token] = try member.carrying(out: name, at: rest, value)
            }
            return .object(members)
        case .array(var items):
            guard let index = Int(token), index <= items.count else { throw Impossible() }
            if name == "add", rest.isEmpty, let value {
                items.insert(value, at: index)
            } else {
                guard index < items.count else { throw Impossible() }
                if rest.isEmpty {
                    items.remove(at: index)
                    if name == "replace", let value { items.insert(value, at: index) }
                } else {
                    items[index] = try items[index].carrying(out: name, at: rest, value)
                }
            }
            return .array(items)
        case .word, .string: throw Impossible()
        }
    }

    // MARK: - Reading

    private static func read(_ rest: inout ArraySlice<UInt8>) -> PatchedValue {
        skip(&rest)
        switch rest.first {
        case UInt8(ascii: "{"):
            rest.removeFirst()
            var members: [String: PatchedValue] = [:]
            while !isClosed(by: UInt8(ascii: "}"), &rest) {
                let key = string(&rest)
                skip(&rest)
                rest.removeFirst()
                members[key] = read(&rest)
            }
            return .object(members)
        case UInt8(ascii: "["):
            rest.removeFirst()
            var items: [PatchedValue] = []
            while !isClosed(by: UInt8(ascii: "]"), &rest) { items.append(read(&rest)) }
            return .array(items)
        case UInt8(ascii: "\""): return .string(string(&rest))
        default:
            let word = rest.prefix { !",]} \n\t\r".utf8.contains($0) }
            rest = rest.dropFirst(word.count)
            return .word(String(decoding: word, as: UTF8.self))
        }
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>) { rest = rest.drop { " \n\t\r".utf8.contains($0) } }

    private static func isClosed(by bracket: UInt8, _ rest: inout ArraySlice<UInt8>) -> Bool {
        skip(&rest)
        if rest.first == UInt8(ascii: ",") {
            rest.removeFirst()
            skip(&rest)
        }
        guard rest.first == bracket else { return false }
        rest.removeFirst()
        return true
    }

    private static func string(_ rest: inout ArraySlice<UInt8>) -> String {
        skip(&rest)
        var end = rest.startIndex + 1
        while rest[end] != UInt8(ascii: "\"") { end += rest[end] == UInt8(ascii: "\\") ? 2 : 1 }
        let text = String(decoding: rest[rest.startIndex...end], as: UTF8.self)
        rest = rest[(end + 1)...]
        return JSONText.unquote(text) ?? ""
    }
}
