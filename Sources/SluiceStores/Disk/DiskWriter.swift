internal import SluiceCache
internal import Glibc

/// The writing side of the disk tier; used by one thread at a time.
final class DiskWriter {
    private let folder: DiskFolder
    private var table: DiskTable?
    /// The files that `table` has open: the database and its log.
    private var files: [FileIdentity?] = []
    /// Unix seconds; before that, nothing is written: the last attempt failed.
    private var restsUntil = 0
    /// Unix seconds, when the last damaged file was replaced.
    private var replacedAt: Int?

    /// How long no write is tried after a failure.
    static let restSeconds = 10
    /// Divisor of the budget for the largest entry.
    private static let entryShare = 4

    init(_ folder: DiskFolder) {
        self.folder = folder
    }

    /// Opens the file; a damaged one is moved aside.
    func begin(_ warn: (String) -> Void) throws(StoreFailure) {
        do throws(Database.Failure) {
            table = try makeTable()
        } catch {
            guard error.isDamage else { throw StoreFailure("\(folder.file("cache.db")) cannot be used: \(error)") }
            warn(
                "\(folder.file("cache.db")) is damaged (\(error)); it was moved to cache.db.damaged, and the gateway"
                    + " starts with an empty one")
            moveAside()
            do throws(Database.Failure) {
                table = try makeTable()
            } catch {
                throw StoreFailure("\(folder.file("cache.db")) cannot be made: \(error)")
            }
        }
    }

    private func makeTable() throws(Database.Failure) -> DiskTable {
        let path = folder.file("cache.db")
        // SQLite gives its other files the mode of this one.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { close(descriptor) }
        let table = try DiskTable(path, identity: folder.identity)
        files = fileIdentities
        return table
    }

    private static let suffixes = ["", "-wal"]

    private var fileIdentities: [FileIdentity?] {
        Self.suffixes.map { FileIdentity(folder.file("cache.db") + $0) }
    }

    /// Whether a restart would find other files than the open ones.
    var hasLostFiles: Bool { table != nil && files != fileIdentities }

    private func moveAside() {
        let path = folder.file("cache.db")
        for suffix in Self.suffixes where rename(path + suffix, path + ".damaged" + suffix) != 0 {
            unlink(path + suffix)
        }
    }

    func end() {
        table = nil
    }

    /// Replaces a damaged file by a new one. The next jobs are written to it at once, unless the disk damages one file
    /// after the other.
    func replace(_ now: Int) throws(StoreFailure) {
        if let replacedAt, (0..<Self.restSeconds).contains(now - replacedAt) {
            restsUntil = now + Self.restSeconds
        } else {
            restsUntil = 0
        }
        replacedAt = now
        table = nil
        moveAside()
        do throws(Database.Failure) {
            table = try makeTable()
        } catch {
            throw StoreFailure("\(folder.file("cache.db")) cannot be made: \(error)")
        }
    }

    /// Whether the last failure is recent. A clock that was set back since then does not make the wait longer.
    private func isResting(_ now: Int) -> Bool {
        (restsUntil - Self.restSeconds..<restsUntil).contains(now)
    }

    /// - Parameters:
    ///   - budget: bytes of the file.
    ///   - now: Unix seconds.
    func write(_ jobs: [DiskTier.Job], budget: Int, _ now: Int) -> DiskTier.Outcome {
        guard let table, !isResting(now) else { return .skipped }
        do throws(Database.Failure) {
            try table.database.run("BEGIN IMMEDIATE")
            for job in jobs { try write(job, to: table, budget: budget, now) }
            try table.shrink(to: budget)
            try table.database.run("COMMIT")
            try table.trim()
            return .done
        } catch {
            return rest(error, table, now)
        }
    }

    private func rest(_ failure: Database.Failure, _ table: DiskTable, _ now: Int) -> DiskTier.Outcome {
        // Some failures end the transaction by themselves.
        if table.database.isInTransaction { try? table.database.run("ROLLBACK") }
        restsUntil = now + Self.restSeconds
        return .failed(failure)
    }

    private func write(
        _ job: DiskTier.Job, to table: DiskTable, budget: Int, _ now: Int
    ) throws(Database.Failure) {
        switch job {
        case .keep(let entry, let receivedAt):
            let marks = entry.dependencies.map { TierRecord.Mark(slot: $0.slot, value: UInt64($0.epoch)) }
            guard entry.dependencies.allSatisfy({ folder.epochs.isCurrent($0) }),
                entry.charge <= budget / Self.entryShare
            else { return try table.remove(entry.key.low) }
            let record = TierRecord.bytes(of: entry, receivedAt: receivedAt, marks: marks, secret: folder.secret)
            try table.put(entry, record, expiresAt: TierRecord.expiry(of: entry, receivedAt: receivedAt))
        case .remove(let id): try table.remove(id)
        case .used(let id): try table.used(id)
        case .purge(let request): try table.purge(request)
        }
    }

    /// Removes what has expired.
    func sweep(_ now: Int) -> DiskTier.Outcome {
        guard let table, !isResting(now) else { return .skipped }
        do throws(Database.Failure) {
            var isMore = true
            while isMore {
                try table.database.run("BEGIN IMMEDIATE")
                isMore = try table.removeExpired(now)
                try table.database.run("COMMIT")
            }
            try table.trim()
            return .done
        } catch {
            return rest(error, table, now)
        }
    }
}
