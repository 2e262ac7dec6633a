internal import SluiceContract

/// Two bindings on one route: methods that overlap and paths that match the same requests.
struct RouteCheck {
    private var known: [String: [(methods: [String], place: ConfigurationPath)]] = [:]

    mutating func add(_ binding: Binding, _ scope: Scope) {
        let shape = Self.shape(binding.path)
        for other in known[shape] ?? [] {
            let isSame =
                binding.methods.isEmpty
                ? other.methods.isEmpty : !Set(binding.methods).isDisjoint(with: other.methods)
            guard isSame else { continue }
            let name = if case .key(let name)? = scope.path.segments.last { name } else { binding.name }
            scope.mistake(
                "'\(name)' is bound already, in \(place: other.place)",
                expected: "one binding for each method and path; names of placeholders make no difference")
        }
        known[shape, default: []].append((binding.methods, scope.path))
    }

    /// The path without the names of its placeholders.
    private static func shape(_ path: PathTemplate) -> String {
        let segments = path.segments.map { segment in
            segment.map { part in
                if case .text(let text) = part { text } else { "{}" }
            }.joined()
        }
        return (segments + (path.hasRest ? ["**"] : [])).joined(separator: "/")
    }
}
