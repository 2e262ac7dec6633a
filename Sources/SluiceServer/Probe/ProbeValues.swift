internal import SluiceClient

/// Makes values of unknown types, by their own `init(from:)`.
final class ProbeValues {
    private let coding: JSONCoding
    /// The first value of each type.
    private var made: [ObjectIdentifier: Any] = [:]
    private var failed: [ObjectIdentifier: any Error] = [:]
    private var inProgress: Set<ObjectIdentifier> = []
    /// How often a type met itself, so that its failure says nothing of others.
    private var meetings = 0
    private var decodings = 0

    init(_ coding: JSONCoding) {
        self.coding = coding
    }

    /// Whether types decode each other without an end.
    var isExhausted: Bool { decodings > Self.decodingsMax }

    /// - Parameters:
    ///   - palette: which values to begin with; others are tried where the type does not take these.
    ///   - isFull: whether lists have an element, and optional values are there.
    func make<Value: Decodable>(_ type: Value.Type, palette: Int = 0, isFull: Bool = false) throws -> Value {
        let palette = palette % ScalarTypes.paletteCount
        if let value = ScalarTypes.value(of: type, palette) as? Value { return value }
        if let container = type as? any ProbedContainer.Type {
            if isFull, let value = try? full(container, palette) as? Value { return value }
            if let value = container.blank as? Value { return value }
        }
        if let cases = ProbedCases(type), let value = cases.values[palette % cases.values.count] as? Value {
            return value
        }
        if let notated = type as? any TypeNotated.Type { return try sample(type, notated) }
        return try decoded(type, palette)
    }

    /// A value of a type that says itself how it is written.
    private func sample<Value: Decodable>(_ type: Value.Type, _ notated: any TypeNotated.Type) throws -> Value {
        let examples = notated.typeExample.map { [$0] } ?? Self.examples
        for example in examples {
            if let value = try? coding.decode(type, from: Array(example.utf8)) { return value }
        }
        throw ProbeRefusal("no value of \(type) is known: let it say one, as JSON, in typeExample")
    }

    /// What a type of any notation may take.
    private static let examples = ["\"\"", "\"a\"", "\"0\"", "0", "1", "true", "[]", "{}", "null"]

    private func decoded<Value: Decodable>(_ type: Value.Type, _ palette: Int) throws -> Value {
        let id = ObjectIdentifier(type)
        if palette == 0, let value = made[id] as? Value { return value }
        if let error = failed[id] { throw error }
        guard !isExhausted, inProgress.insert(id).inserted else {
            meetings += 1
            throw ProbeRefusal("\(type) holds itself without an end")
        }
        defer { inProgress.remove(id) }
        let meetingsBefore = meetings
        var first: (any Error)?
        for number in 0..<ScalarTypes.paletteCount {
            decodings += 1
            let script = ProbeScript(palette: (palette + number) % ScalarTypes.paletteCount)
            do {
                let value = try Value(from: ProbeDecoder(ProbeRun(script, self)))
                if palette == 0 { made[id] = value }
                return value
            } catch {
                first = first ?? error
            }
        }
        let error = first ?? ProbeRefusal("\(type) takes nothing")
        if meetings == meetingsBefore { failed[id] = error }
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

    private static let decodingsMax = 20_000
}
