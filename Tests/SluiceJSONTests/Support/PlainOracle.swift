import Foundation
import SluiceContract

/// What the engine has to find, the slow and plain way: the document as a tree, and its type looked at from the root.
indirect enum PlainValue {
    /// `true`, `false`, `null` and numbers, as they are written.
    case plain(String)
    /// As it is written, and what it says.
    case string(String, String)
    case array([PlainValue])
    case object([PlainMember])

    var text: String {
        switch self {
        case .plain(let text), .string(let text, _): text
        case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { "\($0.raw):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }
}

/// A key as it is written and as it says, and its value.
struct PlainMember {
    var raw: String
    var key: String
    var value: PlainValue
}

/// RFC 8259, without any trick.
struct PlainParser {
    private var rest: ArraySlice<UInt8>

    /// - Returns: nil where the bytes are no JSON.
    static func parse(_ bytes: [UInt8]) -> PlainValue? {
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        var parser = PlainParser(rest: bytes[...])
        guard let value = parser.value() else { return nil }
        parser.space()
        return parser.rest.isEmpty ? value : nil
    }

    private mutating func space() { rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    private mutating func take(_ text: String) -> Bool {
        space()
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func value() -> PlainValue? {
        for word in ["true", "false", "null"] where take(word) { return .plain(word) }
        if rest.first == UInt8(ascii: "\"") { return string().map { .string($0.raw, $0.text) } }
        if take("[") {
            var items: [PlainValue] = []
            if take("]") { return .array([]) }
            repeat {
                guard let item = value() else { return nil }
                items.append(item)
            } while take(",")
            return take("]") ? .array(items) : nil
        }
        if take("{") {
            var members: [PlainMember] = []
            if take("}") { return .object([]) }
            repeat {
                space()
                guard let key = string(), take(":"), let value = value() else { return nil }
                members.append(PlainMember(raw: key.raw, key: key.text, value: value))
            } while take(",")
            return take("}") ? .object(members) : nil
        }
        let text = String(decoding: rest.prefix { "+-.eE0123456789".utf8.contains($0) }, as: UTF8.self)
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else { return nil }
        rest = rest.dropFirst(text.utf8.count)
        return .plain(text)
    }

    private mutating func string() -> (raw: String, text: String)? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var raw: [UInt8] = [UInt8(ascii: "\"")]
        var units: [UInt16] = []
        var plain: [UInt8] = []
        func flush() {
            units += Array(String(decoding: plain, as: UTF8.self).utf16)
            plain = []
        }
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            raw.append(byte)
            if byte == UInt8(ascii: "\"") {
                flush()
                guard let text = String(validating: units, as: UTF16.self) else { return nil }
                return (String(decoding: raw, as: UTF8.self), text)
            }
            if byte < 0x20 { return nil }
            guard byte == UInt8(ascii: "\\") else {
                plain.append(byte)
                continue
            }
            flush()
            guard let escape = rest.popFirst() else { return nil }
            raw.append(escape)
            let known: [Character: UInt16] = [
                "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
            ]
            if let unit = known[Character(Unicode.Scalar(escape))] {
                units.append(unit)
            } else {
                let digits = Array(rest.prefix(4))
                let isHex = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
                guard escape == UInt8(ascii: "u"), digits.count == 4, isHex,
                    let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                raw += digits
                rest = rest.dropFirst(4)
                units.append(unit)
            }
        }
        return nil
    }
}

/// What a type makes of a value: the text that goes out, or nil where it is not as declared.
struct PlainOracle {
    let types: [String: TypeExpression]
    let unknown: UnknownKeys

    func output(_ value: PlainValue, _ type: TypeExpression) -> String? {
        switch type {
        case .scalar(let scalar): return takes(value, scalar) ? value.text : nil
        case .literals(let strings):
            if case .string(let raw, let text) = value, strings.contains(text) { return raw }
            return nil
        case .open:
            if case .string(let raw, _) = value { return raw }
            return nil
        case .constant(let json): return plain(value) == json ? json : nil
        case .converted(let from, let to):
            guard takes(value, from) else { return nil }
            switch (from, to, value) {
            case (.quoted, _, .string(_, let text)): return text
            case (.date, _, .plain(let text)): return Self.date(text)
            case (_, _, .plain(let text)): return "\"\(text)\""
            default: return nil
            }
        case .null: return plain(value) == "null" ? "null" : nil
        case .optional(let wrapped): return plain(value) == "null" ? "null" : output(value, wrapped)
        case .constrained(let inner, let constraint):
            guard let text = output(value, inner) else { return nil }
            return meets(value, constraint) ? text : nil
        case .array(let element):
            guard case .array(let items) = value else { return nil }
            let texts = items.map { output($0, element) }
            return texts.contains(nil) ? nil : "[" + texts.compactMap(\.self).joined(separator: ",") + "]"
        case .dictionary(let inner):
            guard case .object(let members) = value else { return nil }
            let texts = members.map { member in output(member.value, inner).map { "\(member.raw):\($0)" } }
            return texts.contains(nil) ? nil : "{" + texts.compactMap(\.self).joined(separator: ",") + "}"
        case .named(let name): return types[name].flatMap { output(value, $0) }
        case .object(let object): return output(value, object)
        case .choice(let choice): return output(value, choice)
        case .union(let members):
            let objects = members.compactMap { object($0) }
            if case .object(let found) = value, objects.count > 1 {
                return chosen(found, objects).flatMap { output(value, $0) }
            }
            return members.lazy.compactMap { output(value, $0) }.first
        }
    }

    private static func date(_ seconds: String) -> String? {
        guard let value = Double(seconds), value > -62_135_596_800.0005, value < 253_402_300_799.9995 else {
            return nil
        }
        let milliseconds = (value * 1000).rounded()
        let formatter = ISO8601DateFormatter()
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        formatter.formatOptions = isWhole ? [.withInternetDateTime] : [.withInternetDateTime, .withFractionalSeconds]
        return "\"\(formatter.string(from: Date(timeIntervalSince1970: milliseconds / 1000)))\""
    }

    func plain(_ value: PlainValue) -> String? {
        if case .plain(let text) = value { text } else { nil }
    }

    private func object(_ type: TypeExpression) -> ObjectType? {
        switch type {
        case .object(let object): object
        case .named(let name): types[name].flatMap { object($0) }
        default: nil
        }
    }

    private func takes(_ value: PlainValue, _ scalar: Scalar) -> Bool {
        switch value {
        case .string(_, let text):
            switch scalar {
            case .string, .json: return true
            case .quoted(.bool): return text == "true" || text == "false"
            case .quoted(.int): return Int64(text).map { String($0) == text || text == "-0" } ?? false
            case .quoted(.decimal):
                return text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
            default: return false
            }
        case .plain(let text):
            if ["true", "false"].contains(text) { return scalar == .bool || scalar == .json }
            if text == "null" { return scalar == .json }
            switch scalar {
            case .json, .decimal: return true
            case .double, .date(.seconds): return Double(text)?.isFinite ?? false
            case .int: return Int64(text) != nil
            case .int8: return Int8(text) != nil
            case .uint16: return UInt16(text) != nil && text != "-0"
            default: return false
            }
        case .array, .object: return scalar == .json
        }
    }

    private func meets(_ value: PlainValue, _ constraint: Constraint) -> Bool {
        func isInside(_ number: Decimal) -> Bool {
            guard let range = constraint.range else { return true }
            if let lower = range.lower.flatMap({ Decimal(string: $0) }), number < lower { return false }
            guard let upper = range.upper.flatMap({ Decimal(string: $0) }) else { return true }
            return range.excludesUpper ? number < upper : number <= upper
        }
        switch value {
        case .plain(let text): return Decimal(string: text).map(isInside) ?? false
        case .string(_, let text):
            if let pattern = constraint.pattern {
                let range = NSRange(text.startIndex..., in: text)
                let expression = try? NSRegularExpression(pattern: pattern)
                if expression?.firstMatch(in: text, range: range) == nil { return false }
            }
            return isInside(Decimal(text.unicodeScalars.count))
        case .array(let items):
            let identities = items.map { item in
                if case .string(_, let text) = item { "\"" + text } else { item.text }
            }
            return isInside(Decimal(items.count)) && (!constraint.isUnique || Set(identities).count == items.count)
        case .object: return true
        }
    }

    /// By `kind` where the alternatives have it, else by their own keys.
    private func chosen(_ members: [PlainMember], _ objects: [ObjectType]) -> TypeExpression? {
        if objects.contains(where: { $0.fields.contains { $0.name == "kind" } }) {
            let kind = members.first { $0.key == "kind" }?.value
            let found = objects.first { object in
                object.fields.first { $0.name == "kind" }.map { kind != nil && output(kind!, $0.type) != nil } ?? false
            }
            let rest = objects.first { object in !object.fields.contains { $0.name == "kind" } }
            return (found ?? rest).map { .object($0) }
        }
        for member in members {
            if let found = objects.first(where: { $0.fields.first?.name == member.key && member.key.hasPrefix("own") })
            {
                return .object(found)
            }
        }
        return objects.first { $0.fields.first?.name.hasPrefix("own") != true }.map { .object($0) }
    }

    private func output(_ value: PlainValue, _ choice: ObjectChoice) -> String? {
        guard case .object(let members) = value else { return nil }
        var told: String?
        switch members.first(where: { $0.key == choice.key })?.value {
        case .string(_, let text), .plain(let text): told = text
        default: break
        }
        guard let alternative = choice.alternatives.first(where: { $0.value == told }) else {
            return choice.others.flatMap { output(value, $0) }
        }
        guard var object = object(alternative.type) else { return output(value, alternative.type) }
        // The key belongs to each; it is what it is.
        object.fields.removeAll { $0.name == choice.key }
        object.fields.append(ObjectType.Field(choice.key, .scalar(.json)))
        return output(value, .object(object))
    }

    private func output(_ value: PlainValue, _ object: ObjectType) -> String? {
        guard case .object(let members) = value else { return nil }
        if object.isComposed { return composed(value, object) }
        var seen: Set<String> = []
        var texts: [String] = []
        for member in members {
            guard let field = object.fields.first(where: { ($0.from ?? $0.name) == member.key }) else {
                switch object.unknown ?? unknown {
                case .pass:
                    let isTaken = object.fields.contains { $0.from != nil && $0.name == member.key }
                    if isTaken { return nil }
                    texts.append("\(member.raw):\(member.value.text)")
                case .drop: break
                case .reject: return nil
                }
                continue
            }
            guard seen.insert(field.name).inserted, let text = output(member.value, field.type) else { return nil }
            texts.append("\(field.from == nil ? member.raw : "\"\(field.name)\""):\(text)")
        }
        for field in object.fields where !seen.contains(field.name) {
            if let json = field.defaultJSON {
                texts.append("\"\(field.name)\":\(json)")
            } else if !isOptional(field.type), !field.mayBeAbsent {
                return nil
            }
        }
        return "{" + texts.joined(separator: ",") + "}"
    }

    func isOptional(_ type: TypeExpression) -> Bool {
        switch type {
        case .optional: true
        case .named(let name): types[name].map { isOptional($0) } ?? false
        default: false
        }
    }
}
