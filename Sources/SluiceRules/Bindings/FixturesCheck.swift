internal import SluiceContract
internal import SluiceJSON

/// `fixture:` and `fixtures:`: what stands in for the upstream has to be as its answers are.
struct FixturesCheck: BindingCheck {
    let draft: BindingDraft

    func check() {
        // What a composed binding is of that says no type follows from its parts (``CompositionsCheck``).
        if draft.isComposed, !draft.hasValue { return }
        let rule = FixtureRule(draft.binding, types, scope)
        if own.tells("fixture") { draft.binding.fixture = rule.fixture }
        if own.tells("fixtures") { draft.binding.fixtures = rule.fixtures }
    }
}

/// What the fixtures of a binding have to be, once its type is known.
struct FixtureRule {
    private let binding: Binding
    private let types: TypeMeanings
    private let scope: Scope

    init(_ binding: Binding, _ types: TypeMeanings, _ scope: Scope) {
        (self.binding, self.types, self.scope) = (binding, types, scope)
    }

    /// `fixture:` with what it leaves out.
    var fixture: Fixture? {
        binding.fixture.map { fixture in scope.log.ofFixtures { checked(fixture, scope / "fixture") } }
    }

    /// The same of `fixtures:`.
    var fixtures: [NamedFixture] {
        let scope = scope / "fixtures"
        if binding.fixtures.count > Fixture.namedMax {
            scope.mistake(
                "\(binding.fixtures.count) fixtures are too many", expected: "at most \(Fixture.namedMax) of a binding")
        }
        return binding.fixtures.map { named in
            if !Name.isToken(named.name) {
                (scope / named.name).mistake(
                    "'\(named.name)' cannot be asked for as Prefer: example=NAME",
                    expected: "letters, digits, '-' and '_'")
            }
            let fixture = scope.log.ofFixtures { checked(named.fixture, scope / named.name) }
            return NamedFixture(named.name, fixture)
        }
    }

    private func checked(_ fixture: Fixture, _ scope: Scope) -> Fixture {
        var fixture = fixture
        if let upgrade = binding.upgrade {
            scope.mistake("no fixture speaks \(upgrade.rawValue)", expected: "a binding without 'upgrade:'")
            return fixture
        }
        fixture.fields = FieldRule.merged(fixture.fields, [], scope / "headers", ofFixtures: true)
        let status = fixture.status ?? 200
        if fixture.file != nil, case .content(let bytes, _) = fixture.answer, type(of: status) != nil {
            // The file was read while the type was not known.
            fixture.answer = .value(String(decoding: bytes, as: UTF8.self))
        }
        switch fixture.answer {
        case .value(let json):
            guard let type = type(of: status) else {
                (scope / (fixture.file == nil ? "value" : "file")).mistake(
                    "an answer of status \(status) has no type here", expected: "'body:' for the upstream's content")
                break
            }
            if let proven = prove(json, type, fixture.file, scope) { fixture.answer = .value(proven) }
        case .content: checkContent(status, scope)
        case .generate:
            if type(of: status) == nil {
                scope.mistake(
                    "there is no type to make a value of", expected: "a binding with 'value:', or another fixture",
                    suggestion: .advice("say what it answers: {body: …}"))
            }
        case .loading, .problem, .recorded: break
        }
        return fixture
    }

    /// Of a value that is cut out and proven where the upstream answers.
    private func type(of status: Int) -> TypeExpression? {
        if ValueCheck.emptyStatuses.contains(status) { return nil }
        return binding.valueByStatus[status] ?? ((200..<300).contains(status) ? binding.value : nil)
    }

    private func checkContent(_ status: Int, _ scope: Scope) {
        guard let type = type(of: status) else { return }
        (scope / "body").mistake(
            "an answer of status \(status) is of type \(type) here", expected: "'value:', as clients get it")
    }

    /// - Returns: the value with the defaults of what it leaves out, or nil where it is not of its type.
    private func prove(_ json: String, _ type: TypeExpression, _ file: String?, _ scope: Scope) -> String? {
        if types.isEndless || scope.log.hasMistakesBesideFixtures { return nil }
        var json = json
        if file == nil {
            let check = DefaultCheck(
                types: types, what: "the fixture", keys: binding.keys, unknown: unknownKeysOfFixtures)
            guard let checked = check.check(json, type, scope / "value") else { return nil }
            json = checked
        }
        let (local, type) = (types.localForms(binding.keys), type.localForm(binding.keys))
        guard let proof = try? ValueProof(type, types: local.definitions, unknown: unknownKeysOfFixtures) else {
            return nil
        }
        switch proof.prove(Array(json.utf8)) {
        case .success(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .failure(let failure):
            guard let fault = failure.faults.first else { return nil }
            let place = file.map { " in '\($0)'" + Self.place(of: fault.offset, in: json) } ?? ""
            (scope / (file == nil ? "value" : "file")).mistake(
                "the fixture is not of its type at \(fault.name)\(place): \(fault.found)", at: .value,
                expected: fault.expected)
            return nil
        }
    }

    /// What is left out on the way would be missing in a fixture already.
    private var unknownKeysOfFixtures: UnknownKeys { binding.unknownKeys == .pass ? .pass : .reject }

    /// Line and column of a byte.
    private static func place(of offset: Int?, in text: String) -> String {
        guard let offset else { return "" }
        let before = text.utf8.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        return ", line \(line), column \(column)"
    }
}
