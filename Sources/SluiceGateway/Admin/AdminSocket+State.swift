internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// `GET /state`: what is being fetched for the cache, and what went wrong last. `/cache` lists what is stored.
extension AdminSocket {
    static let statePath = "/state"
    private static let resourcesMax = 1000

    var resourceStates: JSONValue {
        let (loading, failures) = loopCache.shared.resources.all
        let now = corridor.loop.now
        return .object([
            ("loading", .array(loading.prefix(Self.resourcesMax).map { Self.json($0, now: now) })),
            ("failures", .array(failures.suffix(Self.resourcesMax).map { Self.json($0) })),
        ])
    }

    private static func json(_ loading: ResourceBoard.Loading, now: UInt64) -> JSONValue {
        .object([
            ("binding", .string(loading.binding)), ("target", .string(shown(loading.target))),
            ("milliseconds", .number(Int((now &- min(now, loading.since)) / 1_000_000))),
        ])
    }

    private static func json(_ failure: ResourceBoard.Failure) -> JSONValue {
        .object([
            ("binding", .string(failure.binding)), ("target", .string(shown(failure.target))),
            ("kind", .string(failure.kind.rawValue)), ("status", .number(failure.status)),
            ("detail", .string(failure.detail)), ("at", .number(failure.at)), ("count", .number(failure.count)),
        ])
    }

    private static func shown(_ target: [UInt8]) -> String { target.withUnsafeBytes { QueryMask.text($0) } }
}
