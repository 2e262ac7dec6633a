internal import SluiceContract

/// A field of an object as a property.
struct SwiftField {
    /// Its key in JSON.
    let key: String
    let property: String
    /// With its default as the value of a new object.
    let type: SwiftTypes.Written
    /// What is decoded where the key is not there; nil where no default is declared, or Swift has no literal for it.
    let fallback: String?
    /// What its type alone does not say.
    let comment: String?
    private let isOptional: Bool
    /// Whether null is a value like any other.
    private let isAnything: Bool

    init(_ field: ObjectType.Field, _ property: String, _ written: SwiftTypes.Written, _ defaults: SwiftDefault) {
        (key, self.property) = (field.name, property)
        var type = written
        let literal = field.defaultJSON.flatMap { defaults.literal($0, field.type) }
        // What may be absent is nil then, and so is what has a default that cannot be written.
        let isNil = field.mayBeAbsent || field.defaultJSON != nil && literal == nil && type.value != "nil"
        if isNil, !type.type.hasSuffix("?") { (type.type, type.value) = (type.type + "?", "nil") }
        isOptional = type.value == "nil"
        isAnything = type.value == ".null"
        fallback = literal == "nil" ? nil : literal
        if let fallback { type.value = fallback }
        self.type = type
        let absent = field.defaultJSON.map {
            literal == nil ? "nil where the API leaves it out, which means \($0)" : "\($0) where the API leaves it out"
        }
        let words = [type.comment, absent].compactMap(\.self).joined(separator: "; ")
        comment = words.isEmpty ? nil : words
    }

    /// What decodes it from a container named `fields`.
    var decoding: String {
        let name = SwiftName.escaped(property)
        let isMarked = type.type.hasSuffix("?")
        let wrapped = isMarked ? String(type.type.dropLast()) : type.type
        // An optional behind an alias comes out as an optional of one.
        let flat = isOptional && !isMarked ? " ?? nil" : ""
        let required = "fields.decode(\(wrapped).self, forKey: .\(name))"
        let present = "fields.decodeIfPresent(\(wrapped).self, forKey: .\(name))\(flat)"
        let value = isOptional ? present : required
        guard let fallback else { return "self.\(property) = try \(value)" }
        // A default stands in for the key, and for null only where the type does not take it.
        let takesNull = isOptional || isAnything
        let whole = takesNull ? "fields.contains(.\(name)) ? \(value) : \(fallback)" : "\(present) ?? \(fallback)"
        return "self.\(property) = try \(whole)"
    }
}
