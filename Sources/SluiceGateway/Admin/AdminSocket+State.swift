internal import SluiceContract
internal import SluiceHTTP
internal import SluiceJSON

/// `GET /state`: what is on its way to the cache, and what went wrong last. What is stored, `/cache` tells.
extension AdminSocket {
    static let statePath = "/state"
    private static let resourcesMax = 1000

    var resourceStates: JSONValue {
        let (loading, failures) = loopCache.shared.resources.all
        let now = corridor.loop.now
        return .object([
            (
                "loading",
                .array(
                    loading.prefix(Self.resourcesMax).map { loading in
                        .object([
                            ("binding", .string(loading.binding)), ("target", .string(Self.shown(loading.target))),
                            ("milliseconds", .number(Int((now &- min(now, loading.since)) / 1_000_000))),
                        ])
                    })
            ),
            (
                "failures",
                .array(
                    failures.suffix(Self.resourcesMax).map { failure in
                        .object([
                            ("binding", .string(failure.binding)), ("target", .string(Self.shown(failure.target))),
                            ("kind", .string(failure.kind.rawValue)), ("status", .number(failure.status)),
                            ("detail", .string(failure.detail)), ("at", .number(failure.at)),
                            ("count", .number(failure.count)),
                        ])
                    })
            ),
        ])
    }

    private static func shown(_ target: [UInt8]) -> String { target.withUnsafeBytes { QueryMask.text($0) } }
}
