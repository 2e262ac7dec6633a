internal import SluiceCache
internal import SluiceContract
internal import SluiceJSON

/// What stands in for the upstream of a route, compiled in advance.
final class FixtureRoute: Sendable {
    let script: Script
    let fields: [HeaderSetting]
    let delayNanoseconds: UInt64
    /// Whether the upstream is asked first, and the fixture stands in only where it cannot be reached.
    let isForUnreachable: Bool
    /// Routes that answer with other fixtures, by the names that requests choose (`Prefer: example=NAME`).
    let examples: [String: Route]

    enum Script: Sendable {
        /// A value that was checked when the configuration was read.
        case value([UInt8], status: Int)
        /// Content as the upstream would send it.
        case content([UInt8], mediaType: String, status: Int)
        case generated(ValueGenerator, seed: UInt64, status: Int)
        case silence
        case problem(Problem.Kind)
        case recorded(RecordingIndex)
        /// The configuration has no fixture for the binding.
        case none
    }

    /// - Returns: nil where the upstream is asked.
    init?(_ binding: Binding, examples: [String: Route], _ common: RouteCommon) {
        let fixture = binding.usualFixture
        switch common.fixtures {
        case .off: return nil
        case .missing where fixture == nil: return nil
        case .all, .replay:
            // The parts of a composed binding have fixtures of their own.
            if fixture == nil, binding.composition != nil { return nil }
            // Protocols after an upgrade are not recorded.
            if binding.upgrade != nil, common.recordings?.missing == .live { return nil }
            isForUnreachable = false
        case .missing: isForUnreachable = true
        }
        self.examples = examples
        fields = fixture?.fields ?? []
        delayNanoseconds = fixture?.after.nanosecondsClamped ?? 0
        script = fixture.map { Self.script($0, binding, common) } ?? .none
    }

    private static func script(_ fixture: Fixture, _ binding: Binding, _ common: RouteCommon) -> Script {
        let status = fixture.status ?? 200
        switch fixture.answer {
        case .value(let json):
            let bytes = Array(json.utf8)
            return .value(binding.rows?.delivery == .lines ? JSONLines.lines(ofArray: bytes) : bytes, status: status)
        case .content(let bytes, let mediaType): return .content(bytes, mediaType: mediaType, status: status)
        case .generate(let seed):
            guard let type = binding.valueByStatus[status] ?? binding.value else { return .none }
            let generator = ValueGenerator(type, types: common.definitions(of: binding), keys: binding.keys)
            return .generated(generator, seed: UInt64(bitPattern: Int64(seed)), status: status)
        case .loading: return .silence
        case .problem(let kind): return .problem(kind)
        case .recorded: return common.recordings.map { .recorded($0) } ?? .none
        }
    }

    /// Whether the fixture replaces this failure: the upstream could not be reached.
    func standsIn(for kind: Problem.Kind) -> Bool {
        guard isForUnreachable else { return false }
        switch kind {
        case .connectTimeout, .connectionRefused, .unreachable, .nameNotFound, .tlsFailure, .circuitOpen, .noBearer,
            .credentialUnavailable, .signInNeeded:
            return true
        default: return false
        }
    }

    /// Whether requests that were not recorded go to the upstream.
    var asksWhatIsMissing: Bool {
        if case .recorded(let index) = script { return index.missing == .live }
        return false
    }

    /// The most bytes of a request's body that the answer depends on.
    var bodyBytesMax: Int {
        switch script {
        case .recorded: Recordings.bodyBytesMax
        case .generated: 1 << 20
        case .value, .content, .silence, .problem, .none: 0
        }
    }
}
