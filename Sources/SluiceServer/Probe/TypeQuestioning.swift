/// Asks a type for what it decodes: it is let decode itself again and again, each time with another answer, so that
/// what it does without and what it takes instead comes to light.
///
/// What is asked for in each run that the type accepts is required, everything else may be absent.
struct TypeQuestioning<Value: Decodable> {
    private let type: Value.Type
    private let values: ProbeValues

    init(_ type: Value.Type, _ values: ProbeValues) {
        self.type = type
        self.values = values
    }

    /// A run that the type accepted, and how.
    private struct Accepted {
        var run: ProbeRun
        var script: ProbeScript
    }

    /// - Throws: ``ProbeRefusal`` for a type that takes none of the values that are tried.
    func form() throws(ProbeRefusal) -> ProbedForm {
        let accepted = try first()
        if let refusal = refusalOfKeys(accepted[0].run) { throw refusal }
        if let type = wholeBesideParts(in: accepted) {
            throw ProbeRefusal(
                "it decodes \(type) and more at one place: let it decode that one by \(type)(from: decoder)")
        }
        if let choice = try choice(accepted[0]) { return choice }
        return try form(of: accepted)
    }

    private func run(_ script: ProbeScript) throws(ProbeRefusal) -> (run: ProbeRun, value: Value?, error: (any Error)?)
    {
        let run = ProbeRun(script, values)
        let outcome = Result { try Value(from: ProbeDecoder(run)) }
        if values.isExhausted { throw ProbeRefusal("it decodes itself without an end") }
        switch outcome {
        case .success(let value): return (run, value, nil)
        case .failure(let error): return (run, nil, error)
        }
    }

    /// One run for each palette that the type takes; at least one.
    private func first() throws(ProbeRefusal) -> [Accepted] {
        var accepted: [Accepted] = []
        var refusal: (any Error)?
        for palette in 0..<ScalarTypes.paletteCount {
            let script = ProbeScript(palette: palette)
            let (run, value, error) = try run(script)
            if let error {
                if run.looksForKeys, let refusal = refusalOfKeys(run) { throw refusal }
                refusal = refusal ?? error
            } else {
                if let value { try checkCases(value) }
                accepted.append(Accepted(run: run, script: script))
            }
        }
        if !accepted.isEmpty { return accepted }
        if let lenient = try withoutOne() { return [lenient] }
        if let refusal = refusal as? ProbeRefusal { throw refusal }
        let words = refusal.map { Self.words($0) } ?? "no reason given"
        throw ProbeRefusal("it takes none of the values that were tried (\(words))")
    }

    /// A type that takes nothing as long as a key is there, such as one that stands for an error.
    private func withoutOne() throws(ProbeRefusal) -> Accepted? {
        for palette in 0..<2 {
            let count = try run(ProbeScript(palette: palette)).run.questions.count
            for number in 0..<min(count, Self.alternativesMax) {
                let script = ProbeScript(palette: palette, refused: [number])
                let (run, _, error) = try run(script)
                if error == nil { return Accepted(run: run, script: script) }
            }
        }
        return nil
    }

    /// An enum by its raw values takes what happens to be one.
    private func checkCases(_ value: Value) throws(ProbeRefusal) {
        if value is any RawRepresentable, Mirror(reflecting: value).displayStyle == .enum {
            throw ProbeRefusal("it does not list its cases")
        }
    }

    /// An enum with payloads looks for its only key, which cannot be known.
    private func refusalOfKeys(_ run: ProbeRun) -> ProbeRefusal? {
        guard run.looksForKeys, !run.questions.contains(where: { $0.path.contains(.anyKey) }),
            run.containers.contains(where: { $0.kind == .keyed })
        else { return nil }
        return ProbeRefusal("it looks for keys that nobody can know beforehand, as an enum with payloads does")
    }

    /// What decodes a whole and then parts of the same place wants both of them, where a choice has the one or the
    /// other.
    private func wholeBesideParts(in accepted: [Accepted]) -> (any Decodable.Type)? {
        let found = accepted.map { one in
            let values = one.run.questions.filter { $0.kind == .value }
            return values.first { whole in
                values.contains { $0.path.count > whole.path.count && $0.path.starts(with: whole.path) }
            }?.type
        }
        return found.contains { $0 == nil } ? nil : found[0]
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
    private func choice(_ base: Accepted) throws(ProbeRefusal) -> ProbedForm? {
        for (number, question) in base.run.questions.enumerated() {
            guard question.kind == .value, question.path.count == 1, case .key(let key) = question.path[0],
                let cases = question.type.flatMap({ ProbedCases($0) }), (2...Self.casesMax).contains(cases.texts.count)
            else { continue }
            var groups: [(accepted: Accepted, numbers: [Int])] = []
            for index in cases.values.indices {
                let script = ProbeScript(palette: base.script.palette, choices: [number: index])
                let (other, _, error) = try run(script)
                // A case that the type does not take is no value of the key.
                if error != nil { continue }
                if let same = groups.firstIndex(where: { Self.isSame($0.accepted.run, other) }) {
                    groups[same].numbers.append(index)
                } else {
                    groups.append((Accepted(run: other, script: script), [index]))
                }
            }
            if groups.count < 2 { continue }
            var alternatives: [(cases: ProbedCases, numbers: [Int], object: ProbedForm)] = []
            for group in groups { alternatives.append((cases, group.numbers, try form(of: [group.accepted]))) }
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

    private func form(of accepted: [Accepted]) throws(ProbeRefusal) -> ProbedForm {
        let tree = ProbeTree()
        var seen: [ProbeRun] = []
        for one in accepted where !seen.contains(where: { Self.isSame($0, one.run) }) {
            seen.append(one.run)
            try add(one, to: tree)
        }
        let all = seen.reduce(into: Set<[ProbeStep]>()) { $0.formUnion($1.paths) }
        for run in seen { tree.makeOptional(all.subtracting(run.paths), unless: run.paths) }
        for run in seen { tree.add(run.containers) }
        return tree.form
    }

    /// Looks what the type does without each thing that it asked for.
    private func add(_ base: Accepted, to tree: ProbeTree) throws(ProbeRefusal) {
        // All of them first: members stand in the order in which they were asked for.
        for question in base.run.questions { tree.add(question, isOptional: question.kind == .optional) }
        for (number, question) in base.run.questions.enumerated() {
            if base.script.refused.contains(number) {
                tree.addAnything(at: question.path)
                continue
            }
            if question.kind == .optional {
                try addPresent(number, question, base, to: tree)
            } else {
                try addWithout(number, question, base, to: tree)
            }
        }
    }

    /// What is asked for once an optional value is there is optional itself.
    private func addPresent(
        _ number: Int, _ question: ProbeQuestion, _ base: Accepted, to tree: ProbeTree
    ) throws(ProbeRefusal) {
        var script = base.script
        script.changed = number
        let (other, _, error) = try run(script)
        if error == nil { addDifference(of: other, to: base.run, without: nil, tree) }
    }

    private func addWithout(
        _ number: Int, _ question: ProbeQuestion, _ base: Accepted, to tree: ProbeTree
    ) throws(ProbeRefusal) {
        var script = base.script
        script.refused.insert(number)
        var isAnything = question.kind == .value
        for _ in 0..<Self.alternativesMax {
            let (other, _, error) = try run(script)
            if error != nil { break }
            if question.kind != .value { tree.makeOptional(question.path) }
            addDifference(of: other, to: base.run, without: question.path, tree)
            let instead = other.questions.indices.filter { index in
                !script.refused.contains(index) && index > number && other.questions[index].type != nil
                    && other.questions[index].path.starts(with: question.path)
            }
            guard question.kind == .value, let next = instead.first else {
                // It puts up with any other value: nothing can be asked of it.
                if isAnything { tree.addAnything(at: question.path) }
                return
            }
            isAnything = false
            if other.questions[next].path != question.path {
                // Parts in place of a single value: all that it asks for now is one other form.
                for index in instead {
                    tree.add(other.questions[index], isOptional: other.questions[index].kind == .optional)
                }
                return
            }
            tree.add(other.questions[next], isOptional: false)
            script.refused.insert(next)
        }
    }

    /// What one of two accepted runs asks for and the other does not may be absent.
    /// - Parameter path: what stands there is another form of one thing, and no matter of being there.
    private func addDifference(
        of other: ProbeRun, to base: ProbeRun, without path: [ProbeStep]?, _ tree: ProbeTree
    ) {
        func isMeant(_ question: ProbeQuestion) -> Bool {
            path.map { !question.path.starts(with: $0) && !$0.starts(with: question.path) } ?? true
        }
        let (known, new) = (base.paths, other.paths)
        for question in other.questions where !known.contains(question.path) && isMeant(question) {
            tree.add(question, isOptional: true)
        }
        for question in base.questions where !new.contains(question.path) && isMeant(question) {
            tree.makeOptional(question.path)
        }
    }

    private static var alternativesMax: Int { 16 }
}

extension ProbeRun {
    /// The places that a value was asked of.
    fileprivate var paths: Set<[ProbeStep]> { Set(questions.lazy.filter { $0.type != nil }.map(\.path)) }
}
