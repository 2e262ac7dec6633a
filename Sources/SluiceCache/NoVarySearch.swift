public import SluiceHTTP

/// `No-Vary-Search`: which differences between queries make no difference to the answer.
public struct NoVarySearch: Hashable, Sendable {
    public enum Parameters: Hashable, Sendable {
        /// Every parameter matters but these.
        case allBut([[UInt8]])
        /// No parameter matters but these.
        case only([[UInt8]])

        /// With its names sorted, each once: upstreams choose how many names there are, and clients how long a query
        /// is, so no name is compared with all others.
        fileprivate var sorted: Parameters {
            func sorted(_ names: [[UInt8]]) -> [[UInt8]] { Set(names).sorted { $0.lexicographicallyPrecedes($1) } }
            switch self {
            case .allBut(let names): return .allBut(sorted(names))
            case .only(let names): return .only(sorted(names))
            }
        }
    }

    /// With its names in order.
    public let parameters: Parameters
    /// Order matters.
    public let ordered: Bool

    init(parameters: Parameters, ordered: Bool) {
        self.parameters = parameters.sorted
        self.ordered = ordered
    }

    /// Whether the fields contain `No-Vary-Search`.
    public static func isIn(_ fields: borrowing HeaderBlock) -> Bool { text(fields) != nil }

    private static func text(_ fields: borrowing HeaderBlock) -> [UInt8]? {
        let name = Array("no-vary-search".utf8)
        return name.withUnsafeBytes { TargetedCacheControl.joined($0, fields) }
    }

    /// nil where the field is absent, malformed, or states the default.
    public init?(_ fields: borrowing HeaderBlock) {
        guard let text = Self.text(fields),
            let members = StructuredField.dictionary(text)
        else { return nil }
        var ordered = true
        var parameters = Parameters.allBut([])
        var except: [[UInt8]]?
        for member in members {
            switch (String(decoding: member.key, as: UTF8.self), member.value) {
            case ("key-order", .boolean(let ignored)): ordered = !ignored
            case ("params", .boolean(true)): parameters = .only([])
            case ("params", .boolean(false)): parameters = .allBut([])
            case ("params", .innerList(let items)):
                guard let names = Self.strings(items) else { return nil }
                parameters = .allBut(names)
            case ("except", .innerList(let items)):
                guard let names = Self.strings(items) else { return nil }
                except = names
            case ("key-order", _), ("params", _), ("except", _): return nil
            default: break
            }
        }
        if let except {
            guard parameters == .only([]) else { return nil }
            parameters = .only(except)
        }
        if ordered, parameters == .allBut([]) { return nil }
        self.init(parameters: parameters, ordered: ordered)
    }

    private static func strings(_ items: [StructuredField.Item]) -> [[UInt8]]? {
        var strings: [[UInt8]] = []
        for case let item in items {
            guard case .string(let text) = item else { return nil }
            strings.append(text)
        }
        return strings
    }

    /// Adds the relevant parts of `target` to `hash`: its path, the pairs of its query that count, and the rule itself.
    /// Answers of one path may have different rules, and each answers the targets that are the same by its own rule.
    public func combine(_ target: UnsafeRawBufferPointer, into hash: inout SipHash) {
        combineRule(into: &hash)
        let question = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
        hash.combine(UnsafeRawBufferPointer(rebasing: target[..<question]))
        guard question < target.count else { return }
        var pairs: [(name: [UInt8], text: [UInt8])] = []
        for part in target[(question + 1)...].split(separator: UInt8(ascii: "&")) {
            let pair = (name: Self.name(of: part), text: Array(part))
            if matters(pair.name) { pairs.append(pair) }
        }
        // By name only, and stable: the order of one name's values still matters.
        if !ordered { pairs.sort { $0.name.lexicographicallyPrecedes($1.name) } }
        for pair in pairs { ([UInt8(ascii: "&")] + pair.text).withUnsafeBytes { hash.combine($0) } }
    }

    private func combineRule(into hash: inout SipHash) {
        let (names, kind) =
            switch parameters {
            case .allBut(let names): (names, 0)
            case .only(let names): (names, 2)
            }
        hash.combine(UInt64(kind | (ordered ? 1 : 0)))
        hash.combine(UInt64(names.count))
        for name in names { name.withUnsafeBytes { hash.combine(run: $0) } }
    }

    private static func name(of pair: some Collection<UInt8>) -> [UInt8] {
        let raw = Array(pair.prefix { $0 != UInt8(ascii: "=") })
        return raw.withUnsafeBytes { PercentEncoding.decoded($0, plusIsSpace: true) } ?? raw
    }

    private func matters(_ name: [UInt8]) -> Bool {
        switch parameters {
        case .allBut(let names): return !Self.has(names, name)
        case .only(let names): return Self.has(names, name)
        }
    }

    /// Whether a name is in a sorted list.
    private static func has(_ names: [[UInt8]], _ name: [UInt8]) -> Bool {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return low < names.count && names[low] == name
    }
}
