/// Asks a type for what it decodes: it is let decode itself again and again, each time with another answer, so that
/// what it does without and what it takes instead comes to light.
struct TypeQuestioning<Value: Decodable> {
    private let type: Value.Type
    private let values: ProbeValues

    init(_ type: Value.Type, _ values: ProbeValues) {
        self.type = type
        self.values = values
    }

    /// - Throws: ``ProbeRefusal`` for a type that takes none of the values that are tried.
    func form() throws(ProbeRefusal) -> ProbedForm {
        let (base, palette) = try first()
        if base.looksForKeys, let refusal = refusalOfKeys(base) { throw refusal }
        if let choice = try choice(base, palette) { return choice }
        return try form(of: base, palette, choices: [:])
    }

    private func run(_ script: ProbeScript) -> (run: ProbeRun, error: (any Error)?) {
        let run = ProbeRun(script, values)
        do {
            _ = try Value(from: ProbeDecoder(run))
            return (run, nil)
        } catch {
            return (run, error)
        }
    }

    /// The first palette that the type takes.
    private func first() throws(ProbeRefusal) -> (ProbeRun, Int) {
        var refusal: (any Error)?
        for palette in 0..<ScalarTypes.paletteCount {
            let (run, error) = run(ProbeScript(palette: palette))
            guard let error else { return (run, palette) }
            if let error = error as? ProbeRefusal { throw error }
            if run.looksForKeys, let refusal = refusalOfKeys(run) { throw refusal }
            refusal = refusal ?? error
        }
        throw ProbeRefusal(
            "it takes none of the values that were tried (\(refusal.map { Self.words($0) } ?? "no reason given"))")
    }

    /// An enum with payloads looks for its only key, which nobody can know.
    private func refusalOfKeys(_ run: ProbeRun) -> ProbeRefusal? {
        run.questions.contains { $0.path.contains(.anyKey) } || !run.containers.contains { $0.kind == .keyed }
            ? nil : ProbeRefusal("it looks for keys that nobody can know beforehand, as an enum with payloads does")
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context):
            return context.debugDescription
        @unknown default: return "\(error)"
        }
    }

    // MARK: - Objects told apart

    /// Looks whether a type decodes other things for other cases of an enum among its members.
    private func choice(_ base: ProbeRun, _ palette: Int) throws(ProbeRefusal) -> ProbedForm? {
        for (number, question) in base.questions.enumerated() {
            guard question.kind == .value, question.path.count == 1, case .key(let key) = question.path[0],
                let cases = question.type.flatMap({ ProbedCases($0) }), (2...Self.casesMax).contains(cases.texts.count)
            else { continue }
            var groups: [(run: ProbeRun, numbers: [Int])] = []
            for index in cases.values.indices {
                let script = ProbeScript(palette: palette, choices: [number: index])
                let (other, error) = run(script)
                // A case that the type does not take is no value of the key.
                if error != nil { continue }
                if let same = groups.firstIndex(where: { Self.isSame($0.run, other) }) {
                    groups[same].numbers.append(index)
                } else {
                    groups.append((other, [index]))
                }
            }
            if groups.count < 2 { continue }
            var alternatives: [(cases: ProbedCases, numbers: [Int], object: ProbedForm)] = []
            for group in groups {
                let form = try form(of: group.run, palette, choices: [number: group.numbers[0]])
                alternatives.append((cases, group.numbers, form))
            }
            return .choice(key: key, alternatives)
        }
        return nil
    }

    private static func isSame(_ first: ProbeRun, _ second: ProbeRun) -> Bool {
        first.questions.count == second.questions.count
            && zip(first.questions, second.questions).allSatisfy { $0.isSame(as: $1) }
    }

    private static var casesMax: Int { 64 }

    // MARK: - What a type does without

    /// What came to light of a question.
    private enum Verdict {
        case required
        /// The type goes on without, or with another value: by what it asks for then.
        case otherwise([ProbeQuestion])
    }

    private func form(
        of base: ProbeRun, _ palette: Int, choices: [Int: Int]
    ) throws(ProbeRefusal) -> ProbedForm {
        var verdicts: [Int: Verdict] = [:]
        for number in base.questions.indices where base.questions[number].kind != .optional {
            let script = ProbeScript(palette: palette, refused: [number], choices: choices)
            verdicts[number] = verdict(of: number, script)
        }
        let tree = ProbeTree()
        for (number, question) in base.questions.enumerated() {
            switch (question.kind, verdicts[number]) {
            case (.optional, _): tree.add(question, isOptional: true)
            case (.value, .otherwise(let others)):
                tree.add(question, isOptional: false)
                let same = others.filter { $0.path.starts(with: question.path) && $0.type != nil }
                // It puts up with any other value: nothing can be asked of it.
                if same.isEmpty { tree.addAnything(at: question.path) }
                for other in same { tree.add(other, isOptional: other.kind == .optional) }
            case (.value, _): tree.add(question, isOptional: false)
            case (.contains, .otherwise), (.null, .otherwise): tree.makeOptional(question.path)
            case (.contains, _), (.null, _): break
            }
        }
        tree.add(base.containers)
        return tree.form
    }

    /// Refuses a question, and those that come in its place, until the type gives up.
    private func verdict(of number: Int, _ script: ProbeScript) -> Verdict {
        var script = script
        var others: [ProbeQuestion] = []
        var isOtherwise = false
        for _ in 0..<Self.alternativesMax {
            let (other, error) = run(script)
            if error != nil { break }
            isOtherwise = true
            let next = other.questions.indices.first { index in
                !script.refused.contains(index) && index > number
                    && other.questions[index].path.starts(with: other.questions[number].path)
                    && other.questions[index].kind == .value
            }
            guard let next, other.questions[number].kind == .value else { break }
            if other.questions[next].path != other.questions[number].path {
                // Parts in place of a single value: all that it asks for now is one other form.
                others += other.questions[next...].filter { $0.path.starts(with: other.questions[number].path) }
                break
            }
            others.append(other.questions[next])
            script.refused.insert(next)
        }
        return isOtherwise ? .otherwise(others) : .required
    }

    private static var alternativesMax: Int { 16 }
}
