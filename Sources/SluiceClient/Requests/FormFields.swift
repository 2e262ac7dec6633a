/// The fields of a form by their names: nested ones as `outer[inner]`, lists as a name that repeats, with or without
/// `[]` behind it.
struct FormFields {
    private(set) var texts: [String] = []
    private(set) var members: [String: FormFields] = [:]
    /// The names of the members, in the order in which they came.
    private(set) var names: [String] = []

    /// How deep names may nest. The depth is the form's to choose, and types may be recursive.
    static let depthMax = 64

    /// - Returns: nil where names nest too deep.
    init?(_ items: QueryItems) {
        for item in items.items {
            let path = Self.path(of: item.name)
            guard path.count <= Self.depthMax else { return nil }
            add(item.value, at: path[...])
        }
    }

    private init() {}

    /// What stands under a name.
    subscript(name: String) -> FormFields? {
        var fields = self
        for part in Self.path(of: name) {
            guard let inner = fields.members[part] else { return nil }
            fields = inner
        }
        return fields
    }

    private mutating func add(_ text: String, at path: ArraySlice<String>) {
        guard let first = path.first else { return texts.append(text) }
        if members[first] == nil {
            members[first] = FormFields()
            names.append(first)
        }
        members[first]?.add(text, at: path.dropFirst())
    }

    /// `["a", "b"]` of `a[b]` and `a[b][]`. A name that is put together in another way is a plain one.
    private static func path(of name: String) -> [String] {
        guard let open = name.firstIndex(of: "["), open != name.startIndex, name.last == "]" else { return [name] }
        let inner = name[open...].dropFirst().dropLast().split(separator: "][", omittingEmptySubsequences: false)
        guard !inner.contains(where: { $0.contains("[") || $0.contains("]") }) else { return [name] }
        let parts = inner.last == "" ? inner.dropLast() : inner[...]
        return [String(name[..<open])] + parts.map(String.init)
    }
}
