/// One decoding of a type by a decoder that has no document: it notes what it is asked, and answers by a script.
final class ProbeRun {
    private(set) var questions: [ProbeQuestion] = []
    /// Where containers were asked for, and which; in their order.
    private(set) var containers: [(path: [ProbeStep], kind: Container)] = []
    /// Whether the type looked for keys that it does not know beforehand.
    private(set) var looksForKeys = false
    private let script: ProbeScript
    let values: ProbeValues

    enum Container: Equatable {
        case keyed, list, single
    }

    init(_ script: ProbeScript, _ values: ProbeValues) {
        self.script = script
        self.values = values
    }

    func note(_ kind: Container, at path: [ProbeStep]) {
        if !containers.contains(where: { $0.path == path && $0.kind == kind }) { containers.append((path, kind)) }
    }

    func noteKeys() {
        looksForKeys = true
    }

    /// Enters a question.
    /// - Returns: its number; nil where the script refuses it.
    private func enter(_ question: ProbeQuestion) throws -> Int? {
        if questions.count == Self.questionsMax {
            throw ProbeRefusal("it asks for more than \(Self.questionsMax) values")
        }
        questions.append(question)
        return script.refused.contains(questions.count - 1) ? nil : questions.count - 1
    }

    /// A value of a type.
    func value<Value: Decodable>(_ type: Value.Type, at path: [ProbeStep], _ codingPath: [any CodingKey]) throws
        -> Value
    {
        guard let number = try enter(ProbeQuestion(path: path, kind: .value, type: type)) else {
            let context = DecodingError.Context(codingPath: codingPath, debugDescription: "refused by the probe")
            throw DecodingError.typeMismatch(type, context)
        }
        if let choice = script.choices[number], let cases = ProbedCases(type),
            let value = cases.values[choice] as? Value
        {
            return value
        }
        let isChanged = script.changed == number
        return try values.make(type, palette: script.palette + (isChanged ? 1 : 0), isFull: isChanged)
    }

    /// A value that may be absent: it is, unless the script wants another one.
    func optional<Value: Decodable>(_ type: Value.Type, at path: [ProbeStep]) throws -> Value? {
        let number = try enter(ProbeQuestion(path: path, kind: .optional, type: type))
        guard let number, script.changed == number else { return nil }
        return try values.make(type, palette: script.palette + 1, isFull: true)
    }

    /// Whether a key is there. It is, unless the script refuses it.
    func contains(at path: [ProbeStep]) -> Bool {
        ((try? enter(ProbeQuestion(path: path, kind: .contains))) ?? nil) != nil
    }

    /// Whether there is null. There is not, unless the script refuses that.
    func isNull(at path: [ProbeStep]) -> Bool {
        ((try? enter(ProbeQuestion(path: path, kind: .null))) ?? nil) == nil
    }

    private static let questionsMax = 1000
}

/// Why the type of a value cannot be told.
struct ProbeRefusal: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
