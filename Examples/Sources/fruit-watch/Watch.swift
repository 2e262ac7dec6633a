import SluiceClient

/// Panes on a terminal, kept as they are by what is told of their resources.
struct Watch: Sendable {
    let panes: [Pane]
    let group: LoadableGroup

    init(_ options: Options, _ service: ResourceService = ResourceService()) {
        let fruits: TypedResource<[Fruit]> = service.resource("/fruits").withParam("limit", options.limit).typed()
        let one: TypedResource<Fruit> = service.resource(options.path).typed()
        panes = [
            Pane("fruits", fruits, rules: options.rules) { $0.map(\.line) },
            Pane(options.path, one, rules: options.rules) { [$0.line] },
        ]
        group = LoadableGroup(fruits, one, rules: options.rules)
    }

    var text: String { panes.flatMap(\.lines).joined(separator: "\n") }

    private var isSettled: Bool { !panes.contains(where: \.isLoading) }

    /// Waits until everything has come or failed; what failed is tried again as often as is said.
    ///
    /// - Returns: whether everything has come.
    func settle(retries: Int) async -> Bool {
        var left = retries
        for await _ in group.displays where isSettled {
            let failures = panes.compactMap(\.error)
            guard left > 0, failures.contains(where: \.isRetryable) else { return failures.isEmpty }
            left -= 1
            group.retry()
        }
        return false
    }

    /// Draws whenever something changes, until the task is cancelled.
    func draw() async {
        for await _ in group.displays {
            print("\u{1B}[H\u{1B}[2J\(text)\n\nr: try again  l: load  q: end")
        }
    }

    /// Does what is typed, until the end.
    func obey(_ keys: AsyncStream<String>) async {
        for await key in keys {
            switch key {
            case "r": group.retry()
            case "l": for member in group.members { member.load() }
            case "q": return
            default: break
            }
        }
    }
}
