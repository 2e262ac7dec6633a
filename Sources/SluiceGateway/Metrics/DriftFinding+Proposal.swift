internal import SluiceContract
internal import SluiceJSON

/// The smallest change of a type that takes what was found, as the configuration would have it.
extension DriftFinding {
    /// The type changed so that it accepts all that was found; nil where no change of the type can do so.
    var proposal: String? {
        switch kind {
        case .fault: typeProposal
        // The value of a new key is not examined.
        case .newKey: key.map { "\($0): JSON?" }
        case .unknownCase: caseProposal
        }
    }

    /// The declared type, and whether it is optional; nil where the notation has no such type.
    private var parts: (declared: TypeExpression, core: TypeExpression, isOptional: Bool)? {
        guard !isCut, let reading = try? TypeNotation.type(declared) else { return nil }
        // Of an object that is written in place only the kind is known.
        if reading.words.contains(where: { ["object", "array"].contains($0.name) }) { return nil }
        if case .optional(let wrapped) = reading.type { return (reading.type, wrapped, true) }
        return (reading.type, reading.type, false)
    }

    private var typeProposal: String? {
        guard !found.isEmpty, let parts else { return nil }
        var core = parts.core
        var isOptional = parts.isOptional
        for kind in found {
            switch kind {
            case .nothing, .null: isOptional = true
            case .object: core = .scalar(.json)
            case .bool, .integer, .number, .large, .string, .array: core = Self.widened(core, by: kind)
            }
        }
        return Self.text(isOptional ? .optional(core) : core, insteadOf: parts.declared)
    }

    /// The set with the new cases added; it stays open.
    private var caseProposal: String? {
        guard !cases.isEmpty, let parts else { return nil }
        var members = Self.alternatives(of: parts.core)
        guard let index = members.firstIndex(where: Self.isSet), case .literals(let known) = members[index] else {
            return nil
        }
        members[index] = .open(known + cases.filter { !known.contains($0) })
        let grown = Self.union(members)
        return Self.text(parts.isOptional ? .optional(grown) : grown, insteadOf: parts.declared)
    }

    /// - Returns: nil where the notation would be read as another type, or is that of the type as it is.
    private static func text(_ type: TypeExpression, insteadOf declared: TypeExpression) -> String? {
        let text = type.description
        guard type != declared, let read = try? TypeNotation.type(text).type, read == type else { return nil }
        return text
    }

    // MARK: - Wider types

    private static func widened(_ type: TypeExpression, by kind: Found) -> TypeExpression {
        var members = alternatives(of: type)
        if members.contains(.scalar(.json)) { return type }
        // First drops the constraint of an alternative whose kind would accept the value.
        for (index, member) in members.enumerated() {
            guard case .constrained(let inner, _) = member, takes(inner, kind) else { continue }
            members[index] = inner
            return union(members)
        }
        switch kind {
        case .integer, .number, .large:
            guard let index = members.firstIndex(where: { number($0) != nil }), let scalar = number(members[index])
            else { break }
            members[index] = .scalar(wider(scalar, kind))
            return union(members)
        case .string:
            guard let index = members.firstIndex(where: isSet), case .literals(let cases) = members[index]
            else { break }
            // Behind all others: a set that may grow takes every string.
            members.remove(at: index)
            return union(members + [.open(cases)])
        case .array: if members.contains(where: { if case .array = $0 { true } else { false } }) { return type }
        case .bool, .nothing, .null, .object: break
        }
        return union(members + [added(by: kind)])
    }

    private static func added(by kind: Found) -> TypeExpression {
        switch kind {
        case .bool: .scalar(.bool)
        case .integer: .scalar(.int)
        case .number: .scalar(.double)
        case .large: .scalar(.decimal)
        case .string: .scalar(.string)
        case .array: .array(.scalar(.json))
        case .nothing, .null, .object: .scalar(.json)
        }
    }

    /// The narrowest of the numbers that takes what both take.
    private static func wider(_ scalar: Scalar, _ kind: Found) -> Scalar {
        switch (scalar, kind) {
        case (.decimal, _), (_, .large): .decimal
        case (.double, _), (_, .number): .double
        default: .int
        }
    }

    /// Whether every value of the kind is of the type.
    private static func takes(_ type: TypeExpression, _ kind: Found) -> Bool {
        switch (kind, type) {
        case (.integer, .scalar(.int)), (.integer, .scalar(.int64)), (.integer, .scalar(.double)),
            (.integer, .scalar(.decimal)), (.number, .scalar(.double)), (.number, .scalar(.decimal)),
            (.large, .scalar(.decimal)), (.string, .scalar(.string)), (.array, .array):
            true
        default: false
        }
    }

    /// The scalar of a number, whatever more is asked of it.
    private static func number(_ type: TypeExpression) -> Scalar? {
        switch type {
        case .scalar(let scalar):
            switch scalar {
            case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .double, .decimal:
                return scalar
            case .string, .bool, .date, .uuid, .url, .data, .quoted, .json: return nil
            }
        case .constrained(let inner, _): return number(inner)
        default: return nil
        }
    }

    // MARK: - Alternatives

    private static func isSet(_ type: TypeExpression) -> Bool { if case .literals = type { true } else { false } }

    private static func alternatives(of type: TypeExpression) -> [TypeExpression] {
        if case .union(let members) = type { members } else { [type] }
    }

    /// In the form of the notation, without what is never tried behind a `String`.
    private static func union(_ members: [TypeExpression]) -> TypeExpression {
        var kept: [TypeExpression] = []
        for member in members where member != .null && !kept.contains(member) {
            if !kept.contains(.scalar(.string)) || !isText(member) { kept.append(member) }
        }
        if members.contains(.null) { kept.append(.null) }
        return kept.count == 1 ? kept[0] : .union(kept)
    }

    private static func isText(_ type: TypeExpression) -> Bool {
        switch type {
        case .literals, .open: true
        case .scalar(let scalar), .constrained(.scalar(let scalar), _): scalar.isText
        default: false
        }
    }
}
