import SluiceContract

/// The columns of a CSV text: their names, and the kinds of their fields according to the type of a row.
struct TableColumns {
    /// What the text of a field becomes; if several kinds fit, the first one in the order of
    /// ``write(_:isQuoted:_:_:_:)``.
    struct Kind: OptionSet {
        let rawValue: UInt8
        /// A number, if the text is one.
        static let number = Kind(rawValue: 1)
        static let truth = Kind(rawValue: 2)
        static let string = Kind(rawValue: 4)
        /// Null if the text is empty; or no member at all.
        static let null = Kind(rawValue: 8)
        static let absent = Kind(rawValue: 16)
        /// The string may be empty: an empty text in quotes is then not nothing.
        static let empty = Kind(rawValue: 32)
    }

    /// What the fields of a column become.
    struct Rule {
        var kind: Kind
        /// The numbers that are numbers here, where all others are strings; nil where every number is one.
        var numbers: ScalarText?

        func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
            if text.isEmpty || !kind.contains(.number) { return false }
            if let numbers { return text.withUnsafeBytes { numbers.accepts($0) } }
            return text.withUnsafeBufferPointer { NumberText.isNumber($0) }
        }
    }

    private struct Column {
        /// The key with quotes and a colon.
        var key: [UInt8]
        var rule: Rule
    }

    /// The rules of columns by the upstream's names.
    private let rules: [String: Rule]
    private let otherRule: Rule
    private var columns: [Column] = []
    private(set) var areKnown = false

    var count: Int { columns.count }

    /// - Parameters:
    ///   - value: the type of all rows together, `[Row]`.
    init(
        _ table: RowPolicy.Table, _ value: TypeExpression, _ types: NamedTypes, _ keys: KeyStyle
    ) throws(PlanError) {
        let reading = ColumnKinds(types: types, keys: keys)
        (rules, otherRule) = try reading.rules(ofRowsOf: value)
        guard let names = table.columns else { return }
        columns = names.map { column($0) }
        areKnown = true
    }

    /// Takes the column names from the first record.
    mutating func read(_ names: [[UInt8]]) throws(RowFault) {
        if names.count > RowPolicy.Table.columnsMax {
            throw RowFault(expected: "at most \(RowPolicy.Table.columnsMax) columns", found: "\(names.count)")
        }
        for name in names where name.count > RowPolicy.Table.nameBytesMax {
            throw RowFault(
                expected: "names of at most \(RowPolicy.Table.nameBytesMax) bytes in the first record",
                found: "\(name.count) bytes")
        }
        // The first duplicate in order, so that the fault is always the same.
        var seen: Set<[UInt8]> = []
        if let twice = names.first(where: { !seen.insert($0).inserted }) {
            throw RowFault(
                expected: "a name of its own for each column",
                found: "'\(String(decoding: twice, as: UTF8.self))' twice in the first record")
        }
        columns = try names.map { bytes throws(RowFault) in
            // Repairing malformed UTF-8 would change the name.
            guard let name = String(validating: bytes, as: UTF8.self) else {
                throw RowFault(
                    expected: "names in UTF-8 in the first record",
                    found: "'\(String(decoding: bytes, as: UTF8.self))'")
            }
            return column(name)
        }
        areKnown = true
    }

    private func column(_ name: String) -> Column {
        Column(key: Array("\(JSONText.quote(name)):".utf8), rule: rules[name] ?? otherRule)
    }

    /// Writes one field as a member.
    func write(
        _ text: ArraySlice<UInt8>, isQuoted: Bool, _ index: Int, _ hasMember: inout Bool, _ out: inout RowOutput
    ) {
        let column = columns[index]
        let kind = column.rule.kind
        let isNothing = text.isEmpty && !(isQuoted && kind.contains(.empty))
        if isNothing, kind.contains(.absent) { return }
        if hasMember { out.append(UInt8(ascii: ",")) }
        hasMember = true
        out.append(column.key)
        if isNothing, kind.contains(.null) { return out.append("null".utf8) }
        if column.rule.isNumber(text) { return out.append(text) }
        if kind.contains(.truth), let word = Self.truth(text) { return out.append(word.utf8) }
        // A text that does not fit is written as a string: the type check then reports it with its text.
        out.appendString(text)
    }

    /// The bool that a text stands for; tables also write it in capitals.
    private static func truth(_ text: ArraySlice<UInt8>) -> String? {
        ["true", "false"].first { word in
            word.utf8.count == text.count && zip(word.utf8, text).allSatisfy { $0 == $1 | 0x20 }
        }
    }
}

/// Finds the rules of a table's columns from the type of its rows.
private struct ColumnKinds {
    let types: NamedTypes
    let keys: KeyStyle

    private static let text = TableColumns.Rule(kind: [.string, .empty])

    /// - Returns: the rules by name, and the rule of all other columns.
    func rules(
        ofRowsOf value: TypeExpression
    ) throws(PlanError) -> ([String: TableColumns.Rule], TableColumns.Rule) {
        switch types.resolved(value) {
        case .optional(let inner), .constrained(let inner, _): return try rules(ofRowsOf: inner)
        case .array(let row): return try rules(of: row)
        default: return ([:], Self.text)
        }
    }

    private func rules(
        of row: TypeExpression
    ) throws(PlanError) -> ([String: TableColumns.Rule], TableColumns.Rule) {
        switch types.resolved(row) {
        case .dictionary(let type): return ([:], try rule(type))
        case .object(let object):
            var rules: [String: TableColumns.Rule] = [:]
            for field in object.fields {
                var rule = try rule(field.type)
                if field.defaultJSON != nil { rule.kind.insert(.absent) }
                rules[keys.keys(of: field).upstream] = rule
            }
            return (rules, Self.text)
        default: return ([:], Self.text)
        }
    }

    private func rule(_ type: TypeExpression) throws(PlanError) -> TableColumns.Rule {
        let kind = kind(type)
        // A column of numbers alone has its numbers checked, and told, as numbers.
        guard kind.isSuperset(of: [.number, .string]) else { return TableColumns.Rule(kind: kind) }
        return TableColumns.Rule(kind: kind, numbers: try ScalarText(.union(numbers(type)), types: types))
    }

    /// The types of numbers among the alternatives.
    private func numbers(_ type: TypeExpression) -> [TypeExpression] {
        let meaning = types.resolved(type)
        switch meaning {
        case .optional(let inner): return numbers(inner)
        case .union(let members): return members.flatMap { numbers($0) }
        case .converted(let scalar, _): return kind(scalar) == .number ? [.scalar(scalar)] : []
        case .scalar, .constant, .constrained: return kind(meaning) == .number ? [meaning] : []
        case .literals, .open, .null, .array, .dictionary, .object, .choice, .named: return []
        }
    }

    private func kind(_ type: TypeExpression) -> TableColumns.Kind {
        switch types.resolved(type) {
        case .scalar(let scalar), .converted(let scalar, _): kind(scalar)
        case .constant(let text): text == "true" || text == "false" ? .truth : .number
        case .constrained(let inner, _): kind(inner)
        case .optional(let inner): kind(inner).union(.null)
        case .union(let members): members.reduce(into: []) { $0.formUnion(kind($1)) }
        case .null: .null
        case .literals(let texts), .open(let texts): texts.contains("") ? [.string, .empty] : .string
        case .array, .dictionary, .object, .choice, .named: .string
        }
    }

    private func kind(_ scalar: Scalar) -> TableColumns.Kind {
        switch scalar {
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double, .decimal,
            .date(.seconds), .date(.milliseconds):
            .number
        case .bool: .truth
        case .string, .json: [.string, .empty]
        case .date, .uuid, .url, .data, .quoted: .string
        }
    }
}
