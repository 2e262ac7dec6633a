internal import SluiceJSON

/// Loading and failed resources, as the admin socket lists them.
struct ResourceStates: Decodable {
    var loading: [Loading]
    var failures: [Failure]

    struct Loading: Decodable {
        var binding: String
        var target: String
        var milliseconds: Int
    }

    struct Failure: Decodable {
        var binding: String
        var target: String
        var kind: String
        var status: Int
        var detail: String
        var at: Int
        var count: Int
    }
}

/// One target of one binding: its stored answer, whether it is being loaded, and its latest failure.
struct ResourceState {
    let binding: String
    let target: String
    private(set) var entry: CacheEntry?
    private(set) var loading: ResourceStates.Loading?
    private(set) var failure: ResourceStates.Failure?

    private struct Place: Hashable {
        var binding: String
        var target: String
    }

    /// In the order of bindings and targets.
    /// - Parameter binding: nil for all bindings.
    static func all(_ entries: [CacheEntry], _ states: ResourceStates, of binding: String?) -> [ResourceState] {
        var all: [Place: ResourceState] = [:]
        func change(_ binding: String, _ target: String, _ edit: (inout ResourceState) -> Void) {
            let place = Place(binding: binding, target: target)
            edit(&all[place, default: ResourceState(binding: binding, target: target)])
        }
        // Of variants the youngest counts.
        for entry in entries {
            change(entry.binding ?? "-", entry.target) { state in
                if state.entry.map({ $0.age > entry.age }) ?? true { state.entry = entry }
            }
        }
        for loading in states.loading where binding == nil || loading.binding == binding {
            change(loading.binding, loading.target) { $0.loading = loading }
        }
        for failure in states.failures where binding == nil || failure.binding == binding {
            change(failure.binding, failure.target) { $0.failure = failure }
        }
        return all.values.sorted { ($0.binding, $0.target) < ($1.binding, $1.target) }
    }

    private init(binding: String, target: String) {
        self.binding = binding
        self.target = target
    }

    /// `fresh`, `stale`, `loading`, `failed`; a resource with data that is loading has two words.
    private var words: String {
        let data = entry?.state
        if loading != nil { return data.map { "\($0), loading" } ?? "loading" }
        return data ?? (failure == nil ? "-" : "failed")
    }

    var row: [String] {
        [
            words, entry.map { "\($0.age) s" } ?? "-", entry.map { "\($0.lifetime - $0.age) s" } ?? "-", binding,
            target,
            failure.map { "\($0.kind) (\($0.status)), \(UnixTime.text($0.at))" } ?? "-",
        ]
    }

    var json: JSONValue {
        .object([
            ("binding", .string(binding)), ("target", .string(target)),
            ("data", entry.map { .string($0.state) } ?? .null), ("age", Self.number(entry?.age)),
            ("lifetime", Self.number(entry?.lifetime)), ("loading_milliseconds", Self.number(loading?.milliseconds)),
            ("error", failure.map(Self.json) ?? .null),
        ])
    }

    private static func number(_ value: Int?) -> JSONValue { value.map { .number($0) } ?? .null }

    private static func json(_ failure: ResourceStates.Failure) -> JSONValue {
        .object([
            ("kind", .string(failure.kind)), ("status", .number(failure.status)), ("detail", .string(failure.detail)),
            ("at", .number(failure.at)), ("count", .number(failure.count)),
        ])
    }
}
