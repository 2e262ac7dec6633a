internal import SluiceClient
internal import SluiceContract

/// The way from a parent to its value, in names on the wire: `\.values` is `values`, whatever its coding key is.
struct ParentPath {
    private let probe: TypeProbe
    private let coding: JSONCoding

    init(_ probe: TypeProbe, _ coding: JSONCoding) {
        self.probe = probe
        self.coding = coding
    }

    /// - Throws: ``ProbeRefusal`` where the key path leads to nothing that the parent decodes, or it cannot be
    ///   determined to which of several things.
    func keys(_ parent: BoundRest.Parent, value: any Decodable.Type) throws(ProbeRefusal) -> [String] {
        let paths = try probe.paths(to: value, in: parent.type)
        if paths.isEmpty {
            throw ProbeRefusal(
                "\(parent.type) decodes no \(value): 'prop:' has to lead to a stored property that it decodes")
        }
        if paths.count == 1 { return paths[0] }
        let named = paths.filter { $0 == Self.names(parent.prop).map(coding.keys.name) }
        if named.count == 1 { return named[0] }
        let moved = Self.moved(by: parent.type, parent.prop).map(coding.keys.name)
        let changed = paths.filter { $0.count == 1 && moved.contains($0[0]) }
        if changed.count == 1 { return changed[0] }
        throw ProbeRefusal(
            "\(parent.type) holds \(paths.count) values of \(value), and nobody can tell which of them 'prop:' means:"
                + " give it the name of its coding key")
    }

    /// The properties on the way, where the program's metadata tell: `\Fruits.page.values`.
    private static func names(_ prop: AnyKeyPath) -> [String] {
        let words = String(reflecting: prop).split(separator: ".").map(String.init)
        guard let root = words.first, root.hasPrefix("\\") else { return [] }
        return Array(words.dropFirst())
    }

    /// The keys whose values move what the key path leads to.
    private static func moved<Parent: ParentCodable>(by type: Parent.Type, _ prop: AnyKeyPath) -> [String] {
        let values = ProbeValues(JSONCoding())
        func read(_ changed: Int?) -> (questions: [ProbeQuestion], bytes: [UInt8]?) {
            let run = ProbeRun(ProbeScript(changed: changed), values)
            guard let parent = try? Parent(from: ProbeDecoder(run)),
                let value = parent[keyPath: prop] as? any Encodable
            else { return (run.questions, nil) }
            return (run.questions, try? JSONCoding(dates: .seconds).encode(value))
        }
        let usual = read(nil)
        return usual.questions.indices.compactMap { number in
            guard case .key(let key)? = usual.questions[number].path.first, let bytes = read(number).bytes,
                bytes != usual.bytes
            else { return nil }
            return key
        }
    }
}
