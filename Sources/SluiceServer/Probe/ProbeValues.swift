/// Makes values of types that nobody knows, by their own `init(from:)`.
final class ProbeValues {
    /// Which palette a type took.
    private var taken: [ObjectIdentifier: Int] = [:]
    private var failed: [ObjectIdentifier: any Error] = [:]
    private var depth = 0

    /// - Parameters:
    ///   - palette: which values to begin with; others are tried where the type does not take these.
    ///   - isFull: whether lists have an element, and optional values are there.
    func make<Value: Decodable>(_ type: Value.Type, palette: Int = 0, isFull: Bool = false) throws -> Value {
        let palette = palette % ScalarTypes.paletteCount
        if let value = ScalarTypes.value(of: type, palette) as? Value { return value }
        if let container = type as? any ProbedContainer.Type {
            if isFull, let value = try full(container, palette) as? Value { return value }
            if let value = container.blank as? Value { return value }
        }
        if let cases = ProbedCases(type), let value = cases.values[palette % cases.values.count] as? Value {
            return value
        }
        return try decoded(type, palette, isFull)
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ palette: Int, _ isFull: Bool) throws -> Value {
        let id = ObjectIdentifier(type)
        if let error = failed[id] { throw error }
        guard depth < Self.depthMax else { throw ProbeRefusal("\(type) holds itself without an end") }
        depth += 1
        defer { depth -= 1 }
        var first: (any Error)?
        for number in 0..<ScalarTypes.paletteCount {
            let usual = taken[id] ?? 0
            let script = ProbeScript(palette: (max(palette, usual) + number) % ScalarTypes.paletteCount)
            do {
                let value = try Value(from: ProbeDecoder(ProbeRun(script, self)))
                if palette == 0 { taken[id] = script.palette }
                return value
            } catch let refusal as ProbeRefusal {
                throw refusal
            } catch {
                first = first ?? error
            }
        }
        let error = first ?? ProbeRefusal("\(type) takes nothing")
        failed[id] = error
        throw error
    }

    /// A container with one value in it.
    private func full(_ container: any ProbedContainer.Type, _ palette: Int) throws -> Any? {
        switch container.probed {
        case .optional(let wrapped): try make(wrapped, palette: palette)
        case .list(let element): try list(element, palette)
        case .dictionary(_, let value): try dictionary(value, palette)
        }
    }

    private func list<Element: Decodable>(_ type: Element.Type, _ palette: Int) throws -> Any {
        [try make(type, palette: palette)]
    }

    private func dictionary<Value: Decodable>(_ type: Value.Type, _ palette: Int) throws -> Any {
        ["key": try make(type, palette: palette)]
    }

    private static let depthMax = 64
}
