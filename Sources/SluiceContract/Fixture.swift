/// What stands in for the upstream of a binding (`fixture:`).
public struct Fixture: Hashable, Sendable {
    public var answer: Answer
    /// Of an answer that has one; nil is 200.
    public var status: Int?
    /// Fields that the upstream's answer would have.
    public var fields: [HeaderSetting] = []
    /// How long it takes.
    public var after: Duration = .zero
    /// The file that its value or content comes from.
    public var file: String?

    public init(_ answer: Answer) {
        self.answer = answer
    }

    public enum Answer: Hashable, Sendable {
        /// The value as clients get it: JSON text of the binding's type.
        case value(String)
        /// The content of the upstream's answer, as it would come.
        case content([UInt8], mediaType: String)
        /// A value of the binding's type, made from a seed and the parameters.
        case generate(seed: Int)
        /// No answer, until a timeout or the client ends it.
        case loading
        case problem(Problem.Kind)
        /// What a folder of recorded exchanges has, by its digest (``FixtureUse/replay``).
        case recorded(String)
    }

    /// Bytes of one value or content.
    public static let bytesMax = 16 << 20
    /// Fixtures of one binding that have names.
    public static let namedMax = 100

    public static let generated = Fixture(.generate(seed: 1))
}

/// A fixture that a request may choose: `Prefer: example=NAME`.
public struct NamedFixture: Hashable, Sendable {
    public var name: String
    public var fixture: Fixture

    public init(_ name: String, _ fixture: Fixture) {
        self.name = name
        self.fixture = fixture
    }
}

/// Whether fixtures answer (`sluice serve --fixtures`).
public enum FixtureUse: Hashable, Sendable {
    /// They are only declared.
    case off
    /// Where the upstream cannot be reached.
    case missing
    /// Always; no upstream is asked.
    case all
    /// What was recorded answers.
    case replay(Recordings)
}

extension Binding {
    /// What answers where no name is chosen.
    public var usualFixture: Fixture? { fixture ?? fixtures.first?.fixture }

    /// The fixture that is made of its type alone; where types are by status, of that of a success, 200 before others.
    private var generatedFixture: Fixture? {
        if upgrade != nil { return nil }
        if value != nil || valueByStatus[200] != nil { return .generated }
        guard let status = valueByStatus.keys.filter({ (200..<300).contains($0) }).min() else { return nil }
        var fixture = Fixture.generated
        fixture.status = status
        return fixture
    }

    /// The binding for clients that choose a fixture by its name.
    public func choosing(_ named: NamedFixture) -> Binding {
        var binding = self
        binding.fixture = named.fixture
        binding.fixtures = []
        return binding
    }
}

extension Configuration {
    /// Without fixtures that are not in use, and with those that need not be written: so two bindings differ by their
    /// fixtures only where those make other answers.
    /// - Complexity: linear in the number of bindings.
    public var withFixturesInUse: Configuration {
        if fixtures == .off, !bindings.contains(where: { $0.fixture != nil || !$0.fixtures.isEmpty }) { return self }
        var result = self
        for index in result.bindings.indices { result.bindings[index].takeFixtures(in: fixtures) }
        return result
    }
}

extension Binding {
    fileprivate mutating func takeFixtures(in use: FixtureUse) {
        switch use {
        case .off: (fixture, fixtures) = (nil, [])
        case .missing: break
        // What is made of other bindings is made of theirs.
        case .all: if usualFixture == nil, composition == nil { fixture = generatedFixture }
        case .replay(let recordings):
            fixtures = []
            fixture = upgrade == nil && composition == nil ? Fixture(.recorded(recordings.digest)) : nil
        }
    }
}

extension Configuration {
    /// As it is served where upstreams are not asked, or not asked alone: nothing of it lasts, so that no answer of
    /// another time is taken for one of an upstream.
    public func served(with use: FixtureUse) -> Configuration {
        var result = self
        result.fixtures = use
        if use != .off { (result.cache.diskPath, result.cache.shared) = (nil, nil) }
        if !result.asksUpstreams { for index in upstreams.indices { result.upstreams[index].health = nil } }
        return result
    }

    /// Whether any upstream is asked for anything; if not, no secret is read and no token renewed.
    public var asksUpstreams: Bool {
        switch fixtures {
        case .off, .missing: true
        case .all: false
        case .replay(let recordings): recordings.missing == .live
        }
    }

    /// As it is served where exchanges are recorded: each is asked for, and arrives whole and readable.
    public var recorded: Configuration {
        var result = self
        (result.cache.diskPath, result.cache.shared) = (nil, nil)
        for index in result.upstreams.indices {
            result.upstreams[index].headers.removeAll { $0.name.lowercased() == "accept-encoding" }
            result.upstreams[index].headers.append(HeaderSetting(name: "Accept-Encoding", value: "identity"))
        }
        for index in result.bindings.indices { result.bindings[index].early = false }
        return result
    }
}
