import SluiceCache

/// What the origin has had, when it last said so, and what has been purged.
final class CacheHistory {
    /// Nanoseconds, by resource and version.
    private(set) var confirmed: [Int: [Int: UInt64]] = [:]
    private(set) var version: [Int: Int] = [:]
    private var judgedClients: Set<Int> = []
    /// Counts confirmations and purges, so that one knows what was first.
    private var serial = 0
    private var confirmedSerials: [Int: [Int: Int]] = [:]
    private var purges: [(request: PurgeRequest, serial: Int)] = []

    func current(_ resource: Int) -> Int { version[resource] ?? 0 }

    func confirm(_ resource: Int, now: UInt64) {
        serial += 1
        confirmed[resource, default: [:]][current(resource)] = now
        confirmedSerials[resource, default: [:]][current(resource)] = serial
    }

    /// When the origin last said that this version is right.
    func serial(_ resource: Int, _ version: Int) -> Int { confirmedSerials[resource]?[version] ?? 0 }

    func change(_ resource: Int) { version[resource] = current(resource) + 1 }

    /// A purge is announced.
    /// - Returns: since when answers are good again.
    func purgeBegan() -> Int {
        serial += 1
        return serial
    }

    /// A hard purge has been carried out that was announced at `serial`.
    func purged(_ request: PurgeRequest, since serial: Int) { purges.append((request, serial)) }

    /// When this was last purged; 0 where it never was.
    func lastPurge(binding: String, target: String) -> Int {
        purges.last { purge in
            switch purge.request.selection {
            case .everything: true
            case .binding(let name): name == binding
            case .target(let wanted): wanted == Array(target.utf8)
            default: false
            }
        }?.serial ?? 0
    }

    /// Changed by a request, or purged, while somebody was asking for it.
    private var touched: Set<Int> = []

    func touch(_ resource: Int) { touched.insert(resource) }

    func isTouched(_ resource: Int) -> Bool { touched.contains(resource) }

    /// Nobody asks for it at present.
    func settle(_ resource: Int) { touched.remove(resource) }

    func isJudged(_ client: Int) -> Bool { judgedClients.contains(client) }

    func judged(_ client: Int) { judgedClients.insert(client) }
}
