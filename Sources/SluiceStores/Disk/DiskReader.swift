internal import CSQLite
internal import SluiceCache

/// The reading side of the disk tier, on a connection of its own; used by one thread at a time.
final class DiskReader {
    /// Generation of the open file.
    let generation: Int
    private let database: Database
    private let find: Statement

    /// The result of a lookup.
    enum Found {
        case nothing
        case entry(StoredResponse)
        /// An unusable entry, which should be removed.
        case useless(UInt64)
    }

    init(_ path: String, generation: Int) throws(Database.Failure) {
        self.generation = generation
        database = try Database(path, isNew: false)
        try database.run("PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
        find = try database.prepare(
            "SELECT records.record, entries.stale FROM entries JOIN records USING (id) WHERE entries.id = ?1")
    }

    func find(_ key: CacheKey, _ query: TierQuery, _ folder: DiskFolder) throws(Database.Failure) -> Found {
        find.bind(1, key.low)
        defer { find.reset() }
        guard try find.step() else { return .nothing }
        let bytes = find.bytes(0)
        guard let record = TierRecord(bytes, secret: folder.secret) else {
            // Flipped bits in this record suggest others, where SQLite has no checksum to notice them.
            throw Database.Failure(code: SQLITE_CORRUPT, description: "a record does not match its checksum")
        }
        // Half of the key is the row's number: another key may have the same.
        guard record.key == key else { return .nothing }
        let dependencies = record.marks.map {
            Epochs.Dependency(slot: $0.slot, epoch: UInt32(truncatingIfNeeded: $0.value))
        }
        guard record.expiresAt > query.unixSeconds,
            dependencies.allSatisfy({ $0.slot < Epochs.slotCount && folder.epochs.isCurrent($0) })
        else { return .useless(key.low) }
        let isStale = find.integer(1) != 0
        return .entry(record.response(bytes, query, dependencies: dependencies, isStale: isStale))
    }
}
