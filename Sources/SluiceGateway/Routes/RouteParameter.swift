internal import SluiceContract
internal import SluiceHTTP

/// A declared parameter compiled for reading: the type of its values, and how it is written upstream.
struct RouteParameter: Sendable {
    let name: String
    let nameBytes: [UInt8]
    let location: Parameter.Location
    /// Type of one value, names resolved.
    let element: TypeExpression
    /// The grammar of one value's text; nil where the type has none, so that no text is accepted.
    let grammar: ScalarText?
    let isList: Bool
    /// The constraint on a list as a whole.
    let list: Constraint?
    let isRequired: Bool
    /// Whether clients may not set the parameter.
    let isFixed: Bool
    /// Whether problems leave out what a client sent for it.
    let isSensitive: Bool
    /// Whether the value fills a placeholder of the upstream's path, wherever the client sends it.
    let isInPath: Bool
    /// The values used where the client gives none, as text.
    let defaults: [[UInt8]]
    /// Stands in the target for a value that is filled in later (``RouteSecrets/marker(_:)``).
    let marker: UInt8?
    /// The upstream's name, percent-encoded.
    let upstreamName: [UInt8]
    /// The upstream's name as a header field or cookie.
    let fieldName: [UInt8]
    let fieldID: FieldID
    let style: Parameter.ListStyle
    let null: Parameter.NullStyle

    /// - Parameters:
    ///   - path: the upstream's path.
    ///   - marker: for a parameter whose value comes from a variable or file.
    ///   - mayBeAbsent: for a field that may be missing, whatever its type says (`name?: T`).
    init(
        _ parameter: Parameter, in path: PathTemplate? = nil, marker: UInt8? = nil, mayBeAbsent: Bool = false,
        types: NamedTypes
    ) throws(PlanError) {
        name = parameter.name
        nameBytes = Array(parameter.name.utf8)
        location = parameter.location
        var type = types.resolved(parameter.type)
        var optional = false
        if case .optional(let wrapped) = type {
            optional = true
            type = types.resolved(wrapped)
        }
        var list: Constraint?
        if case .constrained(let array, let constraint) = type, case .array = array {
            list = constraint
            type = array
        }
        self.list = list
        if case .array(let item) = type {
            isList = true
            element = types.resolved(item)
        } else {
            isList = false
            element = type
        }
        grammar = try ScalarText(element, types: types)
        defaults = marker.map { [[$0]] } ?? parameter.defaultJSON.map { DefaultText.values(of: $0) } ?? []
        self.marker = marker
        isFixed = parameter.isFixed
        isSensitive = parameter.isSensitive
        let mayBeMissing = mayBeAbsent || optional || (isList && list?.range?.contains(0) ?? true)
        isRequired = !mayBeMissing && parameter.defaultJSON == nil && marker == nil
        isInPath = path?.placeholders.contains(parameter.name) ?? false
        let upstreamName = parameter.upstreamName ?? parameter.name
        fieldName = Array(upstreamName.utf8)
        self.upstreamName = PercentEncoding.encoded(Array(upstreamName.utf8))
        fieldID = nameBytes.withUnsafeBytes { FieldID(name: $0) }
        style = parameter.style
        null = parameter.null
        if marker == nil { try checkDefaults() }
    }

    /// No client could send such a value either: in a path it would be another resource, in a field another field.
    private func checkDefaults() throws(PlanError) {
        for text in defaults {
            if isInPath, !text.withUnsafeBytes({ PathRefusal.isName($0) }) {
                throw .invalidDefault(name, "is no name that can stand in a path")
            }
            let isField = location == .header || location == .cookie
            guard isField, !Self.isFieldText(text, isCookie: location == .cookie) else { continue }
            throw .invalidDefault(
                name,
                "cannot stand in a \(location.rawValue): it has to be one line without blanks "
                    + "around it" + (location == .cookie ? ", and without ';'" : ""))
        }
    }

    /// RFC 9110 §5.5, RFC 6265 §5.2.
    private static func isFieldText(_ text: [UInt8], isCookie: Bool) -> Bool {
        text.withUnsafeBytes { FieldValue.isValid($0) } && !(isCookie && text.contains(UInt8(ascii: ";")))
    }

    /// The value that a client sent, for problems; hidden where it may be a credential.
    func shown(_ bytes: UnsafeRawBufferPointer) -> String {
        isSensitive ? "a value that is not shown" : "'\(Shown.text(bytes))'"
    }

    /// What goes upstream in the place of a value that is absent; nil where nothing does.
    var absentText: StaticString? {
        switch null {
        case .omit: nil
        case .empty: ""
        case .literal: "null"
        }
    }

    func accepts(_ text: UnsafeRawBufferPointer) -> Bool { grammar?.accepts(text) ?? false }

    /// What is wrong with a list as a whole, once all its values are there; nil where nothing is.
    /// - Parameter values: looked at only where they have to differ (``Constraint/isUnique``).
    func flaw(ofList values: [[UInt8]], count: Int) -> (expected: String, found: String)? {
        guard let list else { return nil }
        let expected = "[\(element)](\(list))"
        if let range = list.range, !range.contains(count) { return (expected, "\(count) values") }
        guard list.isUnique else { return nil }
        var seen: Set<[UInt8]> = []
        for value in values where !seen.insert(value).inserted {
            return (expected, value.withUnsafeBytes { shown($0) } + " again")
        }
        return nil
    }
}

/// A default is written as JSON (`10`, `"red"`, `["a", "b"]`); parameters travel as text.
enum DefaultText {
    /// The texts of a scalar or of a list of scalars; null has none.
    static func values(of json: String) -> [[UInt8]] {
        var values: [[UInt8]] = []
        var rest = Array(json.utf8)[...]
        func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x2C || $0 == 0x5B || $0 == 0x5D || $0 == 0x0A } }
        skipSpace()
        while let first = rest.first {
            if first == UInt8(ascii: "\"") {
                var end = rest.index(after: rest.startIndex)
                while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
                    end += rest[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                let text = rest[..<min(end + 1, rest.endIndex)]
                values.append(Array((JSONText.unquote(String(decoding: text, as: UTF8.self)) ?? "").utf8))
                rest = rest[min(end + 1, rest.endIndex)...]
            } else {
                let text = rest.prefix { $0 != 0x2C && $0 != 0x5D && $0 != 0x20 }
                if !text.elementsEqual("null".utf8) { values.append(Array(text)) }
                rest = rest[text.endIndex...]
            }
            skipSpace()
        }
        return values
    }
}

internal import SluiceJSON
