internal import SluiceContract
internal import SluiceGateway
internal import Synchronization

/// Counts the connections of all loops: in total, and per client address or user where that is limited.
final class ConnectionCensus: Sendable {
    private let countMax: Int
    private let perClientMax: Int?
    private let count = Atomic<Int>(0)
    private let perClient = Mutex<[ClientIdentity: Int]>([:])

    /// Clients are not counted one by one where their limit is no lower than the total limit.
    init(_ limits: Limits) {
        countMax = limits.connections
        perClientMax = limits.connectionsPerClient < limits.connections ? limits.connectionsPerClient : nil
    }

    /// Whether the total limit is reached.
    var isFull: Bool { count.load(ordering: .relaxed) >= countMax }

    /// A place for one more connection; nil where there is none.
    func enter(_ client: @autoclosure () -> ClientIdentity) -> Place? {
        guard count.add(1, ordering: .relaxed).newValue <= countMax else {
            count.subtract(1, ordering: .relaxed)
            return nil
        }
        guard let perClientMax else { return Place(census: self, client: nil) }
        let client = client()
        let hasRoom = perClient.withLock { table in
            guard table[client, default: 0] < perClientMax else { return false }
            table[client, default: 0] += 1
            return true
        }
        if hasRoom { return Place(census: self, client: client) }
        count.subtract(1, ordering: .relaxed)
        return nil
    }

    /// One connection's place in the count, until ``leave()``.
    struct Place {
        fileprivate let census: ConnectionCensus
        fileprivate let client: ClientIdentity?

        /// The connection is closed; called once.
        func leave() {
            census.count.subtract(1, ordering: .relaxed)
            guard let client else { return }
            census.perClient.withLock { table in
                guard let count = table[client] else { return }
                table[client] = count > 1 ? count - 1 : nil
            }
        }
    }
}
